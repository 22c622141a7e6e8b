"""The sentences of an 18xx title. A title overrides what differs."""

from __future__ import annotations

from kursbuch.eighteen.choices import Choices
from kursbuch.eighteen.holdings import Holdings
from kursbuch.eighteen.log import Log
from kursbuch.eighteen.names import KernelT


class Texts(Log[KernelT], Choices[KernelT], Holdings[KernelT]):
    """All that is said about one game to one reader."""
