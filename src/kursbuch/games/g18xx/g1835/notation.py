"""The one-line text form of the actions of 1835: those of the family, and the opening of Prussia."""

from __future__ import annotations

from kursbuch.games.g18xx.g1835.actions import OpenPrussia
from kursbuch.games.g18xx.notation import FORMS, Form

FORMS_1835 = (
    *FORMS,
    Form(
        OpenPrussia,
        ("opens PR", "waits"),
        lambda action: "opens PR" if action.opens else "waits",
        r"(opens PR|waits)",
        lambda seat, found, names: OpenPrussia(seat, found[0].casefold() != "waits"),
    ),
)
