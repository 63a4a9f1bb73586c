"""One page about one evolution: HTML that needs nothing beside itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from string import Template

from gpdr.clinic import Rule
from gpdr.clinic.compare import OPTIMUM
from gpdr.clinic.problem.result import Evolved, FoundRule
from gpdr.clinic.problem.words import in_words, rounded_numbers
from gpdr.clinic.rules.export import rule_text
from gpdr.expressions import Tree, parse
from gpdr.expressions.appointment import APPOINTMENT

_PAGE = Template("""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { font-size: 1.5rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .2rem .8rem; text-align: right; border-bottom: 1px solid #ddd }
th:first-child, td:first-child { text-align: left } td + td { white-space: nowrap }
.scroll { overflow-x: auto }
@media (max-width: 30rem) { table { font-size: .85rem } th, td { padding: .2rem .35rem } }
tr.own { font-weight: bold; background: #eef6f9 }
code { background: #f4f4f4; padding: .1rem .3rem; overflow-wrap: anywhere }
figure { margin: 1rem 0; overflow-x: auto } svg { max-width: 100%; height: auto }
dt { font-weight: bold } .wide svg { max-width: none }
</style>
<h1>$title</h1>
<p>$clinic</p>
<p><code>$formula</code></p>
<p>$letters</p>
<p>$words $units $conventions</p>
<h2>The timetable</h2>
$timetable
$intervals
<h2>What it costs</h2>
<p>On $replications fresh sessions, the same for all rules; minutes per patient, the cost with its 95 % interval.</p>
$costs
<h2>The rule</h2>
<p>As LaTeX: <code>$latex</code></p>
<p>Both are simplified and their numbers rounded; <code>rule.json</code> has the rule in full, and so has what
<code>gpdr rule export</code> makes of it. As it was evolved it has $size nodes, each shown with its unit, 1 for plain
numbers:</p>
$trees
<h2>How it was found</h2>
<p>What each generation's best costs. Every generation is judged on sessions of its own, so the line rises where they
are harder ones:</p>
<figure>$convergence</figure>
<p>Rules that nothing beats in both cost and size, costs on the last generation's sessions:</p>
<figure>$front</figure>
$archive
<details><summary>Where this comes from</summary><dl>$provenance</dl></details>
</html>
""")

_LETTERS = (
    "A_i is when patient i comes, counted from 0, in minutes from the start of the session. M and V are mean and "
    "standard deviation of a service in minutes, P the number of patients, PN the share of no-shows, PW that of "
    "walk-ins, CR the cost ratio."
)


def report(result: Evolved, figures: Mapping[str, str]) -> str:
    """The page; `figures` are SVG by name."""
    clinic, found = result.clinic, result.found
    return _PAGE.substitute(
        title=escape(f"An appointment rule for {clinic.label}"),
        clinic=escape(
            f"{clinic.patients} patients in {clinic.session:g} minutes, services of {clinic.mean_service:g} minutes "
            f"on average with a standard deviation of {clinic.sd:.3g}, {100 * clinic.no_show:g} % no-shows, "
            f"{100 * clinic.walk_in:g} % walk-ins ({clinic.walk_in_policy})."
        ),
        formula=escape(result.formula),
        letters=escape(_LETTERS),
        words=escape(in_words(found.times, clinic)),
        units=_units(result),
        conventions=escape(result.conventions),
        timetable=_table(
            ["patient", "minute", "after the one before"],
            [
                [str(place), f"{time:.0f}", f"{time - before:.1f}" if place > 1 else ""]
                for place, (before, time) in enumerate(pairwise([0.0, *found.times]), 1)
            ],
        ),
        intervals=f"<figure>{_inline(figures['intervals'])}</figure>" if "intervals" in figures else "",
        replications=f"{result.comparison.replications:,}",
        costs=_costs(result),
        size=found.size,
        latex=escape(result.latex),
        trees="".join(f'<figure class="wide">{_picture(tree)}</figure>' for tree in result.outcome.best.forest[0]),
        convergence=_inline(figures["convergence"]),
        front=_inline(figures["front"]),
        archive=_table(
            ["rule", "size", "cost"],
            [[rounded_numbers(rule_text(_rule(a))), str(a.size), f"{a.fitness:.2f}"] for a in result.archive],
        ),
        provenance="".join(
            f"<dt>{escape(name)}</dt><dd>{escape(str(value))}</dd>"
            for name, value in {"method": result.method, "seed": result.seed, **result.provenance}.items()
        ),
    )


def _rule(found: FoundRule) -> Rule:
    tree1, tree2 = (parse(text, APPOINTMENT) for text in found.trees)
    return Rule.from_trees(tree1, tree2)


def _units(result: Evolved) -> str:
    if result.found.dimension_gap == 0:
        return "All units fit: the first tree is a plain number, the second minutes."
    return f"Its units do not fit: the dimension gap is {result.found.dimension_gap:g}."


def _costs(result: Evolved) -> str:
    comparison = result.comparison
    best = comparison[OPTIMUM].performance.total_cost.mean
    lines = []
    for row in sorted(comparison.rules, key=lambda rule: rule.performance.total_cost.mean):
        p = row.performance
        half = (p.total_cost.ci95[1] - p.total_cost.ci95[0]) / 2
        cost = f"{p.total_cost.mean:.2f} ± {half:.2f}" if half >= 0.005 else f"{p.total_cost.mean:.2f} ± {half:.1g}"
        parts = [f"{figure.mean:.2f}" for figure in (p.wait, p.idle, p.overtime)]
        lines.append([row.name, cost, *parts, f"{100 * (p.total_cost.mean / best - 1):.1f} %"])
    return _table(["rule", "cost", "wait", "idle", "overtime", "above the optimum"], lines, own=result.rule.name)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]], own: str | None = None) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join(
        f"<tr{' class=own' if row[0] == own else ''}>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return f'<div class="scroll"><table><tr>{head}</tr>{body}</table></div>'


def _picture(tree: Tree) -> str:
    """The tree, its nodes coloured by dimension."""
    from gpdr.consistency import dimensions_of_nodes
    from gpdr.expressions.picture import to_svg

    units = APPOINTMENT.units
    return to_svg(tree, APPOINTMENT, [units.text(dimension) for dimension in dimensions_of_nodes(tree, APPOINTMENT)])


def _inline(svg: str) -> str:
    """An SVG without the head of a file of its own."""
    return svg[svg.index("<svg") :]
