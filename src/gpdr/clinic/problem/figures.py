"""Figures of one evolution, as SVG: intervals, convergence, the front of cost against size."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gpdr.clinic.problem.result import Evolved

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SIZE = (5.2, 3.2)  # inches: small, so that letters stay readable where a telephone shrinks it
_OWN, _OTHER, _BEST = "#0b6e8f", "#9a9a9a", "#c2571a"
# Text stays text, and nothing in the file depends on when or where it was made.
_STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "gpdr",
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def draw_figures(result: Evolved) -> dict[str, str]:
    """Each figure's SVG by its name; of one patient there are no intervals."""
    shown = {name: draw for name, draw in _FIGURES.items() if name != "intervals" or result.clinic.patients > 1}
    return {name: _drawn(result, draw) for name, draw in shown.items()}


def _drawn(result: Evolved, draw: Callable[[Axes, Evolved], None]) -> str:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context(_STYLE):
        figure = Figure(figsize=_SIZE, layout="constrained")
        draw(figure.subplots(), result)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return text.getvalue()


def _intervals(axes: Axes, result: Evolved) -> None:
    """Time from each patient to the next."""
    from matplotlib.ticker import MaxNLocator

    shown = {c.name: c.times for c in result.comparison.rules if c.name in ("IBFI", "OPTIMUM")}
    places = np.arange(1, result.clinic.patients)
    for name, times in {**shown, result.rule.name: result.found.times}.items():
        colour = {"OPTIMUM": _BEST, result.rule.name: _OWN}.get(name, _OTHER)
        axes.plot(places, np.diff(times), marker="o", markersize=4, color=colour, label=name)
    axes.set(xlabel="after patient", ylabel="interval, minutes", ylim=(0, None))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(frameon=False)


def _convergence(axes: Axes, result: Evolved) -> None:
    """Cost of each generation's best, on its own draws."""
    history = result.history
    generations = [record["generation"] for record in history]
    axes.plot(generations, [record["best"] for record in history], color=_OWN)
    axes.set(xlabel="generation", ylabel="cost of the best, minutes")
    sizes = axes.twinx()
    sizes.plot(generations, [record["size"] for record in history], color=_OTHER, linewidth=1)
    sizes.set(ylabel="its size, nodes", ylim=(0, None))
    for axis, colour in ((axes.yaxis, _OWN), (sizes.yaxis, _OTHER)):  # whose scale is whose
        axis.label.set_color(colour)
        axis.set_tick_params(colors=colour)


def _front(axes: Axes, result: Evolved) -> None:
    """Rules that nothing beats in both cost and size."""
    sizes = [rule.size for rule in result.archive]
    axes.step(sizes, [rule.fitness for rule in result.archive], where="post", color=_OTHER, linewidth=1)
    axes.plot(sizes, [rule.fitness for rule in result.archive], "o", color=_OWN)
    axes.set(xlabel="size, nodes", ylabel="cost, minutes", xlim=(0, None))


_FIGURES: dict[str, Callable[[Axes, Evolved], None]] = {
    "intervals": _intervals,
    "convergence": _convergence,
    "front": _front,
}
FIGURE_FILES = tuple(f"{name}.svg" for name in _FIGURES)
