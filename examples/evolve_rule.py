"""Evolve a rule, watch it, and use it in another clinic than the one it was evolved for."""

from dataclasses import replace

from gpdr import compare, evolve
from gpdr.clinic import paper_clinic

CLINIC = paper_clinic(18)


def main(population: int = 256, generations: int = 50, replications: int = 15_000) -> None:
    result = evolve(
        CLINIC,
        seed=1,
        population=population,
        generations=generations,
        replications=replications,
        on_event=lambda now: (
            print(f"generation {now.generation}: {now.best:.2f}") if now.generation % 10 == 0 else None
        ),
    )
    print(f"A_i = ({result.found.trees[0]}) * M + {result.found.trees[1]}")
    for patients in (16, 20, 24):
        clinic = replace(CLINIC, patients=patients, session=patients * CLINIC.mean_service)
        found = compare(clinic, ["IBFI", "OFFSET", result.rule], replications=replications)
        costs = ", ".join(f"{rule.name} {rule.performance.total_cost.mean:.2f}" for rule in found.rules)
        print(f"{patients} patients: {costs}")


if __name__ == "__main__":
    main()
