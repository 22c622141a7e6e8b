"""The `kursbuch` command.

Results go to standard output, everything else to standard error. Invalid input gives one sentence and exit code 2
without a traceback; temporary failures exit with 75.
"""

from __future__ import annotations

from collections.abc import Sequence

INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return the exit code."""
    try:
        # imported here because it takes long enough to be interrupted
        from kursbuch.cli.commands import run

        return run(arguments)
    except KeyboardInterrupt:
        return INTERRUPTED
