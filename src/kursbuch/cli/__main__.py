"""Entry point of `python -m kursbuch.cli`."""

import sys

from kursbuch.cli import main

if __name__ == "__main__":
    sys.exit(main())
