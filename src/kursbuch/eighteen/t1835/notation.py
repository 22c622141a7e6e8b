"""The one-line text form of the actions of 1835: those of the family, and the opening of Prussia."""

from __future__ import annotations

from kursbuch.eighteen.notation import FORMS, Form
from kursbuch.eighteen.t1835.actions import OpenPrussia

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
