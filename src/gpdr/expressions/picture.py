"""A picture of a tree as SVG: nodes may carry a second line, a colour and a mark, for a look before and after."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from html import escape

from gpdr.errors import InputError
from gpdr.expressions.fold import fold
from gpdr.expressions.forest import Tree
from gpdr.expressions.primitives import PrimitiveSet
from gpdr.expressions.reference import depths, inputs_of
from gpdr.expressions.writer import INFIX, to_text

# Okabe and Ito's colours, lightened to carry black text: told apart with any kind of colour vision.
PALETTE = ("#f2f2f2", "#cfe6f5", "#fbe3b9", "#c9ead9", "#f4d3c4", "#ead6e4", "#fbf6c0", "#c4d9ee")
_MARK = "#d55e00"
_LINE = "#555555"
_GAP, _LEVEL, _MARGIN, _CHARACTER = 11.0, 64.0, 12.0, 7.5


def colours_of(labels: Sequence[str]) -> list[str]:
    """A colour for each label, the same for equal ones: "1" the first, the others as they come."""
    order = list(dict.fromkeys(["1", *labels]))
    return [PALETTE[order.index(label) % len(PALETTE)] for label in labels]


def to_svg(
    tree: Tree,
    primitives: PrimitiveSet,
    labels: Sequence[str] | None = None,
    colours: Sequence[str] | None = None,
    marked: Collection[int] = (),
) -> str:
    """The tree drawn from its root down.

    `labels` is a second line for each node, such as its dimension, and decides the colours unless `colours` does;
    the nodes of `marked`, counted in prefix order, get a thick border.
    """
    for name, given in (("labels", labels), ("colours", colours)):
        if given is not None and len(given) != len(tree):
            raise InputError(f"{name}: expected one for each of the {len(tree)} nodes, got {len(given)}")
    names = _names(tree, primitives)
    second = labels or [""] * len(tree)
    fill = colours or (colours_of(labels) if labels else [PALETTE[0]] * len(tree))
    widths = [max(len(a), len(b), 2) * _CHARACTER + 12 for a, b in zip(names, second, strict=True)]
    inputs = inputs_of(tree, primitives)
    x = [_MARGIN + place for place in _places(inputs, widths)]
    y = [_MARGIN + 18 + (depth - 1) * _LEVEL for depth in depths(tree, primitives)]
    width = max(place + own / 2 for place, own in zip(x, widths, strict=True)) + _MARGIN
    height = max(y) + 18 + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}"'
        f' width="{width:.0f}" height="{height:.0f}"'
        ' font-family="sans-serif" font-size="13" text-anchor="middle">',
        f"<title>{escape(to_text(tree, primitives))}</title>",
    ]
    half = [18 if text else 12 for text in second]
    for k, below in enumerate(inputs):
        for j in below:  # from the edge of a box to that of another, so that no line runs behind a third
            parts.append(
                f'<path d="M{x[k]:.1f} {y[k] + half[k]:.1f}L{x[j]:.1f} {y[j] - half[j]:.1f}" stroke="{_LINE}"/>'
            )
    for k, name in enumerate(names):
        edge = f'stroke="{_MARK}" stroke-width="3"' if k in marked else f'stroke="{_LINE}"'
        parts.append(
            f'<rect x="{x[k] - widths[k] / 2:.1f}" y="{y[k] - half[k]:.1f}" width="{widths[k]:.1f}"'
            f' height="{2 * half[k]}" rx="6" fill="{escape(fill[k])}" {edge}/>'
        )
        parts.append(f'<text x="{x[k]:.1f}" y="{y[k] + (-2 if second[k] else 5):.1f}">{escape(name)}</text>')
        if second[k]:
            parts.append(
                f'<text x="{x[k]:.1f}" y="{y[k] + 13:.1f}" font-size="11" fill="#333333">{escape(second[k])}</text>'
            )
    return "\n".join([*parts, "</svg>", ""])


def _names(tree: Tree, primitives: PrimitiveSet) -> list[str]:
    """What stands in each node: an operator's sign, a name, or a number short enough for a picture."""

    def leaf(code: int, value: float) -> str:
        return f"{value:.4g}" if primitives.is_number(code) else primitives.name_of(code)

    return fold(tree, primitives, leaf, lambda function, _inputs: INFIX.get(function.op, function.name))


def _places(inputs: list[list[int]], widths: list[float]) -> list[float]:
    """The middle of each node, the leftmost edge at 0: functions stand above the middle of their inputs, and the trees
    of these as close as their levels allow (Reingold and Tilford 1981)."""
    outlines: list[list[tuple[float, float]]] = [[]] * len(inputs)  # of each level of a subtree, from its root's middle
    from_above = [0.0] * len(inputs)
    for k in range(len(inputs) - 1, -1, -1):
        outline: list[tuple[float, float]] = []
        for j in inputs[k]:
            both = zip(outline, outlines[j], strict=False)
            from_above[j] = max((right - left + _GAP for (_, right), (left, _) in both), default=0.0)
            moved = [(left + from_above[j], right + from_above[j]) for left, right in outlines[j]]
            joined = [(one[0], other[1]) for one, other in zip(outline, moved, strict=False)]
            outline = joined + (outline[len(moved) :] or moved[len(outline) :])
        middle = (from_above[inputs[k][0]] + from_above[inputs[k][-1]]) / 2 if inputs[k] else 0.0
        for j in inputs[k]:
            from_above[j] -= middle
        outlines[k] = [(-widths[k] / 2, widths[k] / 2), *((a - middle, b - middle) for a, b in outline)]
    x = [-min(left for left, _ in outlines[0])] * len(inputs)
    for k, below in enumerate(inputs):
        for j in below:
            x[j] = x[k] + from_above[j]
    return x
