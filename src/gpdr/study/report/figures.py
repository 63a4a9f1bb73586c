"""The figures of a report: vector graphics, the same bytes for the same store."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gpdr.study.keys import Json
from gpdr.study.report.collectors import BestRules, Convergence, Fronts
from gpdr.study.report.results import Results
from gpdr.study.statistics import Ranking

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Distinct also for those who do not see all colours (Okabe and Ito), and by line style in print; the subject is black.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#7F7F7F")
_STYLES = ("-", "--", "-.", ":")
_MARKERS = "os^DvXP*"
_SIZES_SHOWN = 80
_TITLE_LETTERS = 28

Layout = Literal["constrained"] | None


@contextmanager
def _settings() -> Iterator[None]:
    """Whatever a user's matplotlib is set to, the bytes are the same: parts named by a fixed salt, text as shapes."""
    import matplotlib as mpl

    own: Any = {
        "font.size": 8, "axes.titlesize": 8, "figure.labelsize": 8, "axes.spines.top": False,
        "axes.spines.right": False, "svg.hashsalt": "gpdr", "svg.fonttype": "path", "legend.frameon": False,
    }  # fmt: skip
    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(own)
        yield


def drawn(draw: Callable[[], Figure | None]) -> dict[str, bytes]:
    """A figure by file ending, without dates; nothing if there is nothing to draw."""
    with _settings():
        figure = draw()
        if figure is None:
            return {}
        files = {}
        for ending, metadata in (("svg", {"Date": None}), ("pdf", {"CreationDate": None})):
            target = io.BytesIO()
            figure.savefig(target, format=ending, metadata=metadata, bbox_inches="tight")
            files[ending] = target.getvalue()
        return files


def intervals(results: Results, best: BestRules) -> Figure | None:
    """The intervals between appointments by the subject's best rule of each clinic, on those of the optimum."""
    from matplotlib.ticker import MaxNLocator

    places = [problem for problem in results.problems if (problem, results.subject) in best.rules]
    if not places:
        return None
    columns = min(6, len(places))
    rows = math.ceil(len(places) / columns)
    figure, axes = _panels(rows, columns, (1.7 * columns, 1.6 * rows + 0.6))
    for axis, problem in zip(axes, places, strict=False):
        clinic = results.clinics[problem]
        optimum = results.references.get(problem, {}).get("OPTIMUM")
        if optimum:
            _steps(axis, optimum["times"], clinic["mean_service"], color="0.75", linewidth=3, label="optimum")
        rule = best.rules[problem, results.subject]
        _steps(axis, rule.times, clinic["mean_service"], color=_COLOURS[0], label=f"best rule of {results.subject}")
        axis.set_title(_title(problem, clinic), fontsize=7)
        axis.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes[0].set_ylim(bottom=0)
    for axis in axes[len(places) :]:
        axis.set_axis_off()
    figure.supxlabel("patient")
    figure.supylabel("interval before the next, in mean service times")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=2)
    return figure


def _title(problem: str, clinic: Json) -> str:
    """A clinic's name, which may be long, and what it does not tell itself."""
    if "CV=" in problem:
        return fill(problem, _TITLE_LETTERS)
    told = f"CV {clinic['cv']:g}, PN {clinic['no_show']:g}, PW {clinic['walk_in']:g}"
    return f"{fill(problem, _TITLE_LETTERS)}\n{told}"


def _steps(axis: Axes, times: Any, mean_service: float, **style: Any) -> None:
    gaps = np.diff(np.asarray(times, float)) / mean_service
    axis.plot(np.arange(1, gaps.size + 1), gaps, drawstyle="steps-mid", **style)


def convergence(results: Results, curves: Convergence) -> Figure | None:
    """The best cost of each generation above the optimum, averaged over runs and clinics."""
    from matplotlib.ticker import StrMethodFormatter, SymmetricalLogLocator

    optima = {p: cost for p in results.problems if (cost := results.reference_cost(p, "OPTIMUM"))}
    figure, (axis,) = _panels(1, 1, (4.5, 3.0))
    for method in results.methods:
        above = [
            100.0 * (curve / optimum - 1.0)
            for problem, optimum in optima.items()
            if (curve := curves.curve(problem, method)) is not None
        ]
        if above:
            mean = np.mean(above, axis=0)
            axis.plot(mean, **_line(results, method))
            tested = [results.mean(problem, method, "cost") / optimum for problem, optimum in optima.items()]
            end = 100.0 * (float(np.nanmean(tested)) - 1.0)
            axis.plot(len(mean) + 1, end, "o", markersize=3, color=_colour(results, method))
    if not axis.lines:
        return None
    axis.axhline(0.0, color="0.8", linewidth=0.5, zorder=0)
    axis.set_xlabel("generation; dots: final rules, tested")
    axis.set_ylabel("best cost above the optimum, %")
    axis.set_yscale("symlog", linthresh=1.0)  # few sessions flatter the best: a curve may end below the optimum
    axis.yaxis.set_major_locator(SymmetricalLogLocator(base=10.0, linthresh=1.0, subs=(1.0, 2.0, 5.0)))
    axis.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    figure.legend(loc="outside right upper")
    return figure


def fronts(results: Results, found: Fronts) -> Figure | None:
    """The cheapest rule of at most so many nodes among all runs of a clinic, averaged over clinics."""
    sizes = np.arange(2, _SIZES_SHOWN + 1)
    figure, (axis,) = _panels(1, 1, (4.5, 3.0))
    for method in results.methods:
        above = [
            100.0 * (costs / optimum - 1.0)
            for problem in results.problems
            if np.isfinite(costs := found.attained(problem, method, sizes)).any()
            and (optimum := results.reference_cost(problem, "OPTIMUM"))
        ]
        if above and np.isfinite(mean := np.mean(above, axis=0)).any():
            axis.plot(sizes, mean, drawstyle="steps-post", **_line(results, method))
    if not axis.lines:
        return None
    axis.set_xlabel("nodes at most")
    axis.set_ylabel("cheapest rule above the optimum, %")
    _finish_percent(figure, axis)
    return figure


def _finish_percent(figure: Figure, axis: Axes) -> None:
    """A scale on which small percentages are as visible as large ones, with plain numbers."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axis.set_yscale("log")
    axis.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axis.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.yaxis.set_minor_formatter(NullFormatter())
    figure.legend(loc="outside right upper")


def run_times(results: Results) -> Figure | None:
    """Seconds per run by clinic: ours, and the publication's below."""
    if results.runs.empty:
        return None
    published = {
        (problem, method): cell.mean
        for problem in results.problems
        for method in results.methods
        if (key := results.published_key(problem)) and (cell := results.published.seconds.get((key, method)))
    }
    figure, axes = _panels(2 if published else 1, 1, (6.5, 4.4 if published else 2.4), sharey=False)
    _dots(axes[0], results, lambda problem, method: results.mean(problem, method, "processor_seconds"))
    axes[0].set_title("this study, one thread")
    axes[0].set_ylabel("processor seconds per run")
    if published:
        _dots(axes[1], results, lambda problem, method: published.get((problem, method), math.nan))
        axes[1].set_title("the publication, eight threads")
        axes[1].set_ylabel("seconds per run")
    axes[-1].set_xlabel("clinic")
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside right upper")
    return figure


def _dots(axis: Axes, results: Results, seconds: Callable[[str, str], float]) -> None:
    """A column of marks for each clinic, side by side so that none hides another."""
    places = np.arange(1, len(results.problems) + 1)
    beside = np.linspace(-0.3, 0.3, len(results.methods)) if len(results.methods) > 1 else [0.0]
    for number, method in enumerate(results.methods):
        heights = [seconds(problem, method) for problem in results.problems]
        axis.plot(
            places + beside[number], heights, label=method, color=_colour(results, method),
            linestyle="none", marker=_MARKERS[number % len(_MARKERS)], markersize=3,
        )  # fmt: skip
    axis.set_xlim(0.4, len(places) + 0.6)
    axis.set_ylim(bottom=0)
    names = [problem.removeprefix("paper:") for problem in results.problems]
    axis.set_xticks(places, names, rotation=90 if max(map(len, names)) > 3 else 0, fontsize=6)
    axis.grid(axis="y", color="0.9", linewidth=0.5)


def critical_difference(ranking: Ranking | None) -> Figure | None:
    """Average ranks on a line; a bar joins methods that do not differ (Demšar 2006)."""
    if ranking is None:
        return None
    figure, (axis,) = _panels(1, 1, (5.5, 0.5 + 0.22 * (len(ranking.methods) + len(ranking.alike()))), layout=None)
    axis.set_axis_off()
    count, depth = len(ranking.methods), 0.0
    axis.plot([1, count], [0, 0], color="black", linewidth=1)
    for tick in range(1, count + 1):
        axis.plot([tick, tick], [0, 0.15], color="black", linewidth=1)
        axis.text(tick, 0.25, str(tick), ha="center", va="bottom")
    axis.plot([1, 1 + ranking.critical], [1.2, 1.2], color="black", linewidth=2)
    axis.text(1 + ranking.critical / 2, 1.3, f"critical difference {ranking.critical:.2f}", ha="center", va="bottom")
    places = dict(zip(ranking.methods, ranking.ranks, strict=True))
    for group in ranking.alike():
        depth -= 0.35
        ranks = [places[method] for method in group]
        axis.plot([min(ranks) - 0.04, max(ranks) + 0.04], [depth, depth], color="black", linewidth=3)
    for method, rank in sorted(places.items(), key=lambda item: item[1]):
        depth -= 0.55
        axis.plot([rank, rank, count + 0.1], [0, depth, depth], color="0.5", linewidth=0.7)
        axis.text(count + 0.15, depth, f"{method}  {rank:.2f}", va="center")
    return figure


def _panels(
    rows: int, columns: int, size: tuple[float, float], sharey: bool = True, layout: Layout = "constrained"
) -> tuple[Figure, list[Axes]]:
    """A figure with a list of panels. No pyplot: a report leaves a program's own figures alone."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout=layout)
    axes = figure.subplots(rows, columns, squeeze=False, sharey=sharey)
    return figure, list(axes.flat)


def _colour(results: Results, method: str) -> str:
    return "black" if method == results.subject else _COLOURS[results.others.index(method) % len(_COLOURS)]


def _line(results: Results, method: str) -> dict[str, Any]:
    """How a method's curve is drawn: the subject's is thicker, and whole."""
    own = method == results.subject
    style = "-" if own else _STYLES[results.others.index(method) % len(_STYLES)]
    return {"color": _colour(results, method), "linestyle": style, "linewidth": 1.8 if own else 1.1, "label": method}
