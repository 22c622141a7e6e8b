"""The `kursbuch` command.

Results go to standard output, everything else to standard error. Wrong input gives one sentence and
exit code 2, never a traceback; what may work in a while ends with 75.
"""

from __future__ import annotations

from collections.abc import Sequence

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit code."""
    try:
        # Here, because it takes long enough to be interrupted.
        from kursbuch.cli.commands import run

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
