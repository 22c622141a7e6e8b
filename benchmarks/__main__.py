"""Run the benchmarks and print a table, or one JSON object with `--json`."""

from __future__ import annotations

import argparse
import importlib
import platform
from collections.abc import Callable

import msgspec

from benchmarks.common import Measurement

#: Modules with a function `run`.
BENCHMARKS = (
    "engine",
    "bots",
    "eighteen",
    "routes",
    "web",
    "moves",
    "streams",
    "flood",
    "thinking",
    "pages",
    "laboratory",
)

#: Width of the name column.
WIDTH = 58

#: Benchmarks with a long form.
LONG = ("web", "flood")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--long",
        action="store_true",
        help=f"the long form of {', '.join(LONG)}, which takes an hour",
    )
    given = parser.parse_args()
    for name in given.names:
        if name not in BENCHMARKS:
            parser.error(f"there is no benchmark {name}; there are {', '.join(BENCHMARKS)}")
    found: dict[str, list[Measurement]] = {}
    for name in given.names or BENCHMARKS:
        run: Callable[..., list[Measurement]] = importlib.import_module(f"benchmarks.{name}").run
        found[name] = run(long=True) if given.long and name in LONG else run()
    if given.json:
        report = {"python": platform.python_version(), "benchmarks": found}
        print(msgspec.json.encode(report).decode())
        return
    for name, measurements in found.items():
        warm = any(each.warm is not None for each in measurements)
        print(f"{name}:{'cold':>{WIDTH + 14 - len(name)}}{'warm':>12}" if warm else f"{name}:")
        for each in measurements:
            again = "" if each.warm is None else f"{each.warm:,.3f}"
            print(
                f"  {each.name:<{WIDTH}}{each.value:>12,.3f}{again:>{12 if warm else 0}} "
                f"{each.unit:<10}{_ratio(each.ratio):>10} × {each.baseline}"
            )


def _ratio(ratio: float) -> str:
    """Format a ratio with at least two significant digits.

    >>> _ratio(1234.56), _ratio(2.345), _ratio(0.0148)
    ('1,234.6', '2.3', '0.015')
    """
    return f"{ratio:,.1f}" if ratio >= 1 else f"{ratio:.2g}"


if __name__ == "__main__":
    main()
