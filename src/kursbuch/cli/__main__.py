"""`python -m kursbuch.cli` is the same as `kursbuch`."""

import sys

from kursbuch.cli import main

if __name__ == "__main__":
    sys.exit(main())
