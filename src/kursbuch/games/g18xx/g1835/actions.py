"""What players do in 1835: what they do in every 18xx title, and the opening of Prussia."""

from __future__ import annotations

from kursbuch.core.actions import Action
from kursbuch.games.g18xx.actions import EighteenAction


class OpenPrussia(Action, frozen=True, tag="open"):
    """Open the Prussian railway now, or wait [4-intro, 4.6]."""

    opens: bool


Action1835 = EighteenAction | OpenPrussia
