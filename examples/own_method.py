"""A method from parts: of four candidates for each child the one with the smallest gap, repaired."""

from dataclasses import replace

from gpdr.clinic import paper_clinic
from gpdr.clinic.problem import AppointmentProblem
from gpdr.evolution.breeding import Culling, Repair, Repaired, Variation
from gpdr.evolution.generators import RepairedAtBirth
from gpdr.evolution.grammar import untyped
from gpdr.evolution.loop import run
from gpdr.evolution.methods import gp, gpdr
from gpdr.evolution.parts import Method


def culled_and_repaired(problem: AppointmentProblem, parameters: gp.Parameters) -> Method:
    variation = Variation(problem.primitives, untyped(problem.primitives, len(problem.targets)), parameters)
    repair = Repair(variation, problem.targets)
    plain = gp.build(problem, parameters)
    return replace(
        plain,
        name="culled and repaired",
        generator=RepairedAtBirth(plain.generator, repair),
        breeder=Repaired(Culling(variation, problem.targets, each=4), repair, by_frequency=False),
        consistent=True,
    )


def main(population: int = 256, generations: int = 50, replications: int = 15_000) -> None:
    problem = AppointmentProblem(paper_clinic(3), replications)
    parameters = gp.Parameters(population=population, generations=generations)
    archive = gpdr.Parameters(population=population, generations=generations)
    for method, chosen in (
        (culled_and_repaired(problem, parameters), parameters),
        (gpdr.build(problem, archive), archive),
    ):
        best = run(problem, method, chosen, seed=1).best
        print(f"{method.name}: cost {best.costs[0]:.3f}, gap {best.gaps[0]:g}, {best.sizes[0]} nodes")


if __name__ == "__main__":
    main()
