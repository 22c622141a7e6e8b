"""1835 (Michael Meier-Bachl; Hans im Glück, second German edition): German railways before 1871."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import ClassVar

import msgspec

from kursbuch.core.actions import Action
from kursbuch.core.events import Event
from kursbuch.core.play import Play
from kursbuch.core.title import Option, Result, Title
from kursbuch.core.words import N_, Words
from kursbuch.eighteen.actions import ChooseSwap, Discard, Exchange
from kursbuch.eighteen.drawing import sheets
from kursbuch.eighteen.rules import operating, stock
from kursbuch.eighteen.rules.steps import watch_bank
from kursbuch.eighteen.t1835 import drawing, packet, prussia
from kursbuch.eighteen.t1835.actions import Action1835, OpenPrussia
from kursbuch.eighteen.t1835.components import Components1835, standard_data
from kursbuch.eighteen.t1835.heuristics import Judge1835
from kursbuch.eighteen.t1835.notation import format_action, parse_action
from kursbuch.eighteen.t1835.operations import Operations1835
from kursbuch.eighteen.t1835.planner import Planner1835
from kursbuch.eighteen.t1835.state import State1835
from kursbuch.eighteen.t1835.texts import Texts1835

_ON = ("off", "on")
_ON_LABELS = (N_("off"), N_("on"))


class Title1835(Title[State1835]):
    """The title: its data, steps, words and drawing."""

    id: ClassVar[str] = "1835"
    name: ClassVar[str] = "1835"
    seats: ClassVar[range] = range(3, 8)
    minutes: ClassVar[int] = 300
    package: ClassVar[str] = "kursbuch.eighteen.t1835"
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
        self.game = game = Operations1835(Components1835(standard_data() if data is None else data))
        self.judge = Judge1835(game)
        canonical = msgspec.json.encode(game.components.file, order="sorted")
        self.data_hash = hashlib.sha256(canonical).hexdigest()
        self.steps = {
            **stock.steps(game),
            **packet.steps(game),
            **prussia.steps(game),
            **operating.steps(game),
        }

    @property
    def data_is_standard(self) -> bool:
        return self.data_hash == TITLE.data_hash

    def with_data(self, data: bytes) -> Title1835:
        return Title1835(data)

    # ---- course of play

    def setup(self, seats: int, options: Mapping[str, str]) -> State1835:
        chosen = [
            f"{option.name}={options[option.name]}"
            for option in self.options
            if options[option.name] != option.values[0]
        ]
        return self.game.new(seats, chosen)

    def after_step(self, play: Play[State1835]) -> None:
        watch_bank(play)

    def result(self, state: State1835) -> Result | None:
        """The richest wins; equals share the victory [6.2.3]. Who is bankrupt has lost
        [5.5.4.13b]."""
        if state.agenda:
            return None
        scores = self.scores(state)
        best = max(scores[seat] for seat in range(state.seats) if seat not in state.out)
        return Result(
            scores,
            tuple(
                seat
                for seat in range(state.seats)
                if seat not in state.out and scores[seat] == best
            ),
        )

    def scores(self, state: State1835) -> tuple[int, ...]:
        """Cash, noted credits and the market value of the shares [6.2.1]."""
        game = self.game
        return tuple(
            0 if seat in state.out else game.wealth(state, seat) for seat in range(state.seats)
        )

    # ---- notation

    def format(self, action: Action) -> str:
        return format_action(action)

    def parse(self, text: str, seat: int, state: State1835) -> Action:
        return parse_action(text, seat, self.game.components)

    # ---- what is said and shown

    def voice(self, words: Words) -> Texts1835:
        return Texts1835(self.game, words)

    def draw(self, state: State1835, words: Words, marks: Sequence[str] = ()) -> str:
        return drawing.draw(state, self.game, words, marks)

    @cached_property
    def pieces(self) -> str:
        return drawing.pieces(self.game)

    def marks(self, events: Sequence[Event]) -> list[str]:
        return sheets.marks(events)

    @cached_property
    def planner(self) -> Planner1835:
        return Planner1835(self.id, self.game)

    def irrevocable(self, action: Action) -> bool:
        """What cannot be thought over, because others have been asked or trains are gone."""
        return isinstance(action, ChooseSwap | Discard | Exchange | OpenPrussia)


TITLE = Title1835()
