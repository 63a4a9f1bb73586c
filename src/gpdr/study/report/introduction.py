"""A report's beginning: what was done, what is still missing, what the words mean."""

from __future__ import annotations

from importlib import import_module

from gpdr.study.keys import RESULTS_VERSION, canonical
from gpdr.study.plan import Method
from gpdr.study.report.results import Results
from gpdr.study.status import Status


def introduction(results: Results, where: Status) -> str:
    """The page down to its first chapter."""
    study = results.study
    paragraphs = [f"# Study {study.name}", study.description, _plan(results, where)]
    runs, expected = len(results.runs), len(study.problems) * len(study.methods) * study.seeds
    if runs < expected:
        paragraphs.append(
            f"**Incomplete: {runs:,} of {expected:,} runs are done**, {where.failed:,} failed. Averages are over the"
            " clinics that have runs, so methods may differ in them."
        )
    if where.results_version != RESULTS_VERSION:
        paragraphs.append(f"**Outdated: this version of gpdr gives results version {RESULTS_VERSION}.**")
    if results.processor_seconds:
        paragraphs.append(f"All this took {results.processor_seconds / 3600:.1f} hours of one processor core.")
    paragraphs += ["\n".join(_in_a_line(method) for method in study.methods), _words(results)]
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def _plan(results: Results, where: Status) -> str:
    study = results.study
    seeds = f"seeds {study.first_seed} to {study.first_seed + study.seeds - 1}"
    tests = sorted({problem.definition["test"]["replications"] for problem in study.problems})
    return (
        f"{len(study.problems)} clinics × {len(study.methods)} methods × {study.seeds} runs ({seeds}). Rules are judged"
        f" on {', '.join(f'{count:,}' for count in tests)} fresh sessions of their clinic, the same for all methods and"
        f" runs. Results version {where.results_version}."
    )


def _in_a_line(method: Method) -> str:
    """A method in the words of its module, and what this study sets apart from the usual."""
    from gpdr.evolution.methods import recipe

    words = (import_module(f"gpdr.evolution.methods.{method.method}").__doc__ or "").splitlines()[0]
    usual = {**recipe(method.method).parameters().as_dict(), "replications": method.parameters.get("replications")}
    own = {name: value for name, value in method.parameters.items() if usual[name] != value}
    settings = ", ".join(f"`{name} = {canonical(value)}`" for name, value in own.items())
    return f"- **{method.name}**: {words.partition(': ')[2]}" + (f" Here with {settings}." if settings else "")


def _words(results: Results) -> str:
    ratios = sorted({clinic["cost_ratio"] for clinic in results.clinics.values()})
    return (
        "P: patients of a session; M: mean length of a service in minutes, CV: its coefficient of variation; PN: share"
        " of patients who do not come; PW: walk-ins as a share of P. Cost is the mean over sessions of wait + CR ×"
        " (10 × idle time + 15 × overtime), in minutes per patient served, with the cost ratio CR ="
        f" {', '.join(f'{ratio:g}' for ratio in ratios)}: lower is better. Gap: how far a rule is from adding only"
        " like to like; 0 is consistent. Nodes: of both trees of a rule."
    )
