"""Do the units of a formula fit? If not, what is the least change that makes them fit? With units of your own."""

from gpdr import check, repair
from gpdr.dimensions import UnitSystem
from gpdr.expressions import ADD, DIV, MUL, SQ, SUB, PrimitiveSet, Terminal

MOTION = PrimitiveSet(
    name="motion",
    functions=(ADD, SUB, MUL, DIV, SQ),
    terminals=(Terminal("v", "m/s"), Terminal("t", "s"), Terminal("g", "m/s^2"), Terminal("h", "m")),
    units=UnitSystem(("m", "s")),
)


def main() -> None:
    for formula in ("v * t + g * sq(t)", "v * t + g * t", "h + v / t"):
        report = check(formula, target="m", primitives=MOTION)
        print(
            formula, "is consistent" if report.consistent else f"has gap {report.gap:g}: {'; '.join(report.problems)}"
        )
        if not report.consistent:
            mended = repair(formula, target="m", primitives=MOTION)
            print(f"  repaired: {mended.repaired}")
            for change in mended.changes:
                print(f"  {change}")


if __name__ == "__main__":
    main()
