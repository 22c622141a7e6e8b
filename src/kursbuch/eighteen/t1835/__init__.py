"""1835 (Michael Meier-Bachl; Hans im Glück, second German edition): German railways before 1871."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from kursbuch.core.actions import Action
from kursbuch.core.title import Option
from kursbuch.core.words import N_, Words
from kursbuch.eighteen.actions import ChooseSwap, Discard, Exchange
from kursbuch.eighteen.t1835 import drawing, packet, prussia
from kursbuch.eighteen.t1835.actions import Action1835, OpenPrussia
from kursbuch.eighteen.t1835.book import Book1835
from kursbuch.eighteen.t1835.components import Components1835, standard_data
from kursbuch.eighteen.t1835.house import House1835, house
from kursbuch.eighteen.t1835.judge import Judge1835
from kursbuch.eighteen.t1835.notation import FORMS_1835
from kursbuch.eighteen.t1835.occasions import Occasions1835
from kursbuch.eighteen.t1835.state import State1835
from kursbuch.eighteen.t1835.texts import Texts1835
from kursbuch.eighteen.title import EighteenTitle

_ON = ("off", "on")
_ON_LABELS = (N_("off"), N_("on"))


class Title1835(EighteenTitle[State1835, Book1835]):
    """The title: its data, steps, words and drawing."""

    id: ClassVar[str] = "1835"
    name: ClassVar[str] = "1835"
    seats: ClassVar[range] = range(3, 8)
    minutes: ClassVar[int] = 300
    package: ClassVar[str] = "kursbuch.eighteen.t1835"
    forms = FORMS_1835
    state_type = State1835
    action_type = Action1835
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "packet",
            ("standard", "clemens", "snake"),
            N_("Start packet"),
            (
                N_("row by row, as in the rulebook"),
                N_("all at once, first in reverse order (Clemens)"),
                N_("row by row, the second turn in reverse order (Snake)"),
            ),
            "option-packet",
        ),
        Option("ld-30", _ON, N_("LD pays 30"), _ON_LABELS, "7.1"),
        Option("cheaper-privates", _ON, N_("Unsold privates become cheaper"), _ON_LABELS, "7.2"),
        Option(
            "minors-wait",
            _ON,
            N_("Minors wait until the start packet is sold"),
            _ON_LABELS,
            "7.3",
        ),
        Option(
            "minors-need-bavaria",
            _ON,
            N_("Minors wait until Bavaria is in operation"),
            _ON_LABELS,
            "option-minors-need-bavaria",
        ),
        Option(
            "same-price",
            _ON,
            N_("All sales of a company in one turn at one price"),
            _ON_LABELS,
            "option-same-price",
        ),
        Option(
            "group3-without-prussia",
            _ON,
            N_("The third group does not wait for Prussian shares"),
            _ON_LABELS,
            "option-group3-without-prussia",
        ),
        Option("unlimited-tiles", _ON, N_("Unlimited tiles"), _ON_LABELS, "option-unlimited-tiles"),
        Option("no-206", _ON, N_("Tile 6 may not become tile 206"), _ON_LABELS, "option-no-206"),
        Option(
            "free-track",
            _ON,
            N_("Tiles and stations without connection"),
            _ON_LABELS,
            "option-free-track",
        ),
        Option(
            "routes-by-hand",
            _ON,
            N_("Routes may be chosen by hand"),
            _ON_LABELS,
            "option-routes-by-hand",
        ),
        Option(
            "free-revenue",
            _ON,
            N_("Another revenue may be entered than the highest"),
            _ON_LABELS,
            "option-free-revenue",
        ),
        Option(
            "pays-beyond-bank",
            _ON,
            N_("Money beyond the bank is at hand at once"),
            _ON_LABELS,
            "option-pays-beyond-bank",
        ),
        Option("as-rails", _ON, N_("Small print as in Rails-18xx"), _ON_LABELS, "option-as-rails"),
    )

    def __init__(self, data: bytes | None = None) -> None:
        components = Components1835(standard_data() if data is None else data)
        super().__init__(Book1835(components), components.packet)
        self.book.occasions = Occasions1835(self.book)
        self.steps = {**self.steps, **packet.steps(self.book), **prussia.steps(self.book)}
        self.judge = Judge1835(self.book)

    @property
    def data_is_standard(self) -> bool:
        return self.data_hash == TITLE.data_hash

    def with_data(self, data: bytes) -> Title1835:
        return Title1835(data)

    # ---- course of play

    def house(self, options: Mapping[str, str]) -> House1835:
        return house(options.items())

    def setup(self, seats: int, options: Mapping[str, str]) -> State1835:
        """With the Clemens packet the last player begins, and the turns go backwards at first
        [option-packet]."""
        state = super().setup(seats, options)
        if state.house.packet == "clemens":
            state.priority = seats - 1
        return state

    # ---- what is said and shown

    def voice(self, words: Words) -> Texts1835:
        return Texts1835(self.book, words)

    def draw(self, state: State1835, words: Words, marks: Sequence[str] = ()) -> str:
        return drawing.draw(state, self.book, words, marks)

    def irrevocable(self, action: Action) -> bool:
        """What cannot be thought over, because others have been asked or trains are gone."""
        return isinstance(action, ChooseSwap | Discard | Exchange | OpenPrussia)


TITLE = Title1835()
