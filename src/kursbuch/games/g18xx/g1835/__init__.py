"""1835 (Michael Meier-Bachl; Hans im Glück, second German edition): German railways before 1871."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.state import Encoding
from kursbuch.core.title import Audience, Option, Premoves
from kursbuch.core.words import N_, Words
from kursbuch.games.g18xx.actions import ChooseSwap, Discard, Exchange
from kursbuch.games.g18xx.corrections import OPEN
from kursbuch.games.g18xx.drawing.look import MapLook
from kursbuch.games.g18xx.g1835 import drawing, prussia, start_packet
from kursbuch.games.g18xx.g1835.ai import Evaluator1835
from kursbuch.games.g18xx.g1835.components import Components1835, standard_data
from kursbuch.games.g18xx.g1835.corrections import KINDS
from kursbuch.games.g18xx.g1835.prussia import Triggers1835
from kursbuch.games.g18xx.g1835.ruleset import Ruleset1835
from kursbuch.games.g18xx.g1835.start_packet import Premoves1835
from kursbuch.games.g18xx.g1835.state import (
    FORMS_1835,
    Action1835,
    OpenPrussia,
    PacketTurn,
    PrussiaOpened,
    State1835,
    Variants1835,
    encoding,
    variants,
)
from kursbuch.games.g18xx.g1835.text import Texts1835
from kursbuch.games.g18xx.ruleset import Steps
from kursbuch.games.g18xx.title import EighteenTitle


class Title1835(EighteenTitle[State1835, Ruleset1835]):
    """The title 1835: data, steps, texts and drawing."""

    id: ClassVar[str] = "1835"
    name: ClassVar[str] = "1835"
    seats: ClassVar[range] = range(3, 8)
    minutes: ClassVar[int] = 300
    summary: ClassVar[str] = N_(
        "Invest in Germany's first railways, direct companies, and trade shares well while trains grow old and "
        "Prussia grows large."
    )
    audience: ClassVar[Audience | None] = Audience.EXPERTS
    difficulty: ClassVar[int] = 4
    cutout = (432, 298, 500, 281.25)
    package: ClassVar[str] = "kursbuch.games.g18xx.g1835"
    data_file: ClassVar[str] = "board.json"
    forms = FORMS_1835
    step_rules: ClassVar[Steps] = {
        **EighteenTitle.step_rules,
        **start_packet.STEPS,
        **prussia.STEPS,
    }
    correction_kinds = KINDS
    correction_steps = (*OPEN, PacketTurn)
    state_type = State1835
    action_type = Action1835
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "packet",
            ("standard", "clemens", "snake"),
            N_("Start packet"),
            (
                N_("row by row, as in the rulebook"),
                N_("Clemens: all at once, reverse order first"),
                N_("Snake: row by row, then reversed"),
            ),
            "option-packet",
        ),
        Option.switch("ld-30", N_("LD pays 30"), "7.1"),
        Option.switch("cheaper-privates", N_("Unsold privates become cheaper"), "7.2"),
        Option.switch("minors-wait", N_("Minors wait until the start packet is sold"), "7.3"),
        Option.switch(
            "minors-need-bavaria",
            N_("Minors wait until Bavaria is in operation"),
            "option-minors-need-bavaria",
        ),
        Option.switch(
            "same-price", N_("All sales of a company in one turn at one price"), "option-same-price"
        ),
        Option.switch(
            "group3-without-prussia",
            N_("The third group does not wait for Prussian shares"),
            "option-group3-without-prussia",
        ),
        Option.switch("unlimited-tiles", N_("Unlimited tiles"), "option-unlimited-tiles"),
        Option.switch("no-206", N_("Tile 6 cannot be upgraded to tile 206"), "option-no-206"),
        Option.switch("free-track", N_("Unconnected tiles and stations"), "option-free-track"),
        Option.switch(
            "routes-by-hand", N_("Routes may be chosen by hand"), "option-routes-by-hand"
        ),
        Option.switch(
            "free-revenue",
            N_("A revenue other than the highest may be entered"),
            "option-free-revenue",
        ),
        Option.switch(
            "pays-beyond-bank",
            N_("Players may spend money the bank owes"),
            "option-pays-beyond-bank",
        ),
        Option.switch("as-rails", N_("Follow Rails-18xx on details"), "option-as-rails"),
    )

    def __init__(self, data: bytes | None = None) -> None:
        components = Components1835(standard_data() if data is None else data)
        super().__init__(Ruleset1835(components), components.packet)
        self.ruleset.triggers = Triggers1835(self.ruleset)
        self.evaluator = Evaluator1835(self.ruleset)

    @property
    def data_is_standard(self) -> bool:
        return self.data_hash == TITLE.data_hash

    def with_data(self, data: bytes) -> Title1835:
        return Title1835(data)

    @cached_property
    def premoves(self) -> Premoves[State1835]:
        return Premoves1835(self.ruleset)

    # ---- course of play

    def announces(self, event: Event) -> bool:
        return super().announces(event) or isinstance(event, PrussiaOpened)

    def variants(self, options: Mapping[str, str]) -> Variants1835:
        return variants(options.items())

    def setup(self, seats: int, options: Mapping[str, str]) -> State1835:
        """Set up a game. With the Clemens packet the last player begins and turns first go
        backwards [option-packet]."""
        state = super().setup(seats, options)
        if state.house.packet == "clemens":
            state.priority = seats - 1
        return state

    def encoding(self, seats: int) -> Encoding:
        return encoding(self.ruleset.components, seats)

    # ---- what is said and shown

    def voice(self, words: Words) -> Texts1835:
        return Texts1835(self.ruleset, words)

    @cached_property
    def look(self) -> MapLook:
        return drawing.MAP_LOOK

    def draw(self, state: State1835, words: Words, marks: Sequence[str] = ()) -> str:
        return drawing.draw(state, self.ruleset, words, marks)

    def irrevocable(self, action: Action) -> bool:
        """Whether an action cannot be taken back: others have been asked, or trains are gone."""
        return isinstance(action, ChooseSwap | Discard | Exchange | OpenPrussia)


TITLE = Title1835()
