"""1853 (Francis Tresham; Lookout Games, second edition 2009): railways in British India."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from kursbuch.core.actions import Action
from kursbuch.core.components import Data, PrintedComponent
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.core.state import Encoding
from kursbuch.core.title import Audience, LegendPart, Option, Premoves
from kursbuch.core.words import N_, Words
from kursbuch.games.g18xx.actions import Discard
from kursbuch.games.g18xx.components import BANK
from kursbuch.games.g18xx.corrections import OPEN
from kursbuch.games.g18xx.drawing.look import MapLook, Note
from kursbuch.games.g18xx.g1853 import (
    contract_bids,
    contracts,
    corrections,
    drawing,
    events,
    rounds,
)
from kursbuch.games.g18xx.g1853.actions import (
    FORMS_1853,
    Action1853,
    OrderRound,
    SettleTrain,
    ShowContract,
    TakeRight,
    Vote,
    WriteBond,
)
from kursbuch.games.g18xx.g1853.ai import Evaluator1853
from kursbuch.games.g18xx.g1853.components import Components1853, standard_data
from kursbuch.games.g18xx.g1853.contract_bids import Premoves1853, guess, masked
from kursbuch.games.g18xx.g1853.drawing import city_notes
from kursbuch.games.g18xx.g1853.printed import cities, hexes
from kursbuch.games.g18xx.g1853.prompts import TERMS
from kursbuch.games.g18xx.g1853.rounds import Triggers1853
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import (
    BANKS,
    ChooseRight,
    Contract,
    ExtraRound,
    Pardon,
    PayShares,
    State1853,
    Variants1853,
    WriteBonds,
    encoding,
    variants,
)
from kursbuch.games.g18xx.g1853.text import Texts1853
from kursbuch.games.g18xx.printed import companies, tiles
from kursbuch.games.g18xx.ruleset import Steps
from kursbuch.games.g18xx.title import EighteenTitle


class Title1853(EighteenTitle[State1853, Ruleset1853]):
    """The title 1853: data, steps, texts and drawing."""

    id: ClassVar[str] = "1853"
    name: ClassVar[str] = "1853"
    seats: ClassVar[range] = range(3, 7)
    minutes: ClassVar[int] = 360
    summary: ClassVar[str] = N_(
        "Direct railway companies of British India, build on two gauges through mountains and over rivers, and "
        "connect the cities of your contracts."
    )
    audience: ClassVar[Audience | None] = Audience.EXPERTS
    difficulty: ClassVar[int] = 5
    cutout = (330, 222, 480, 270)
    package: ClassVar[str] = "kursbuch.games.g18xx.g1853"
    data_file: ClassVar[str] = "board.json"
    terms: ClassVar[Mapping[str, Mapping[str, str]]] = TERMS
    reconstructed: ClassVar[str] = N_(
        "The eastern border of the map, Waltair, tiles 58, 716 to 719, 900, CD and "
        "W, the edges of the territories and the companies of most contract cities "
        "are recorded nowhere and have been reconstructed: a dotted line marks them "
        "on the map."
    )
    data_variants: ClassVar[Mapping[str, str]] = {
        "contracts-first-edition": N_(
            "Companies of contract cities as recorded of the first edition."
        ),
        "contracts-by-limits": N_(
            "Contract cities go with every company of which they are a home or a limit."
        ),
        "delta-gone": N_(
            "The map ends at Calcutta; Calcutta and Delhi, CD and 900 have three exits."
        ),
        "waltair-n22": N_("Waltair lies in N22, and O21 has a small town."),
        "waltair-as-bombay": N_("The brown tile of Waltair is worth 50 and has three spaces."),
        "tile-717-four-exits": N_("Tile 717 has four exits."),
        "tile-719-four-exits": N_("Tile 719 has four exits."),
        "tiles-716-718-one-space": N_("Tiles 716 and 718 have one space."),
        "tiles-717-719-two-spaces": N_("Tiles 717 and 719 have two spaces."),
        "tile-716-four-copies": N_("There are four tiles 716 and two 116."),
        "longer-upgrades": N_("Tiles 3, 58 and 117 become all that their shapes allow."),
    }
    forms = FORMS_1853
    step_rules: ClassVar[Steps] = {
        **EighteenTitle.step_rules,
        **contract_bids.STEPS,
        **rounds.STEPS,
        Pardon: contracts.PardonRules,
    }
    correction_kinds = corrections.KINDS
    correction_steps = (*OPEN, ChooseRight, ExtraRound)
    state_type = State1853
    action_type = Action1853
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "bank",
            BANKS,
            N_("Money in the bank"),
            (
                N_("£15,000, the normal game"),
                N_("£12,500"),
                N_("£10,000, the shortened game"),
                N_("£7,500"),
                N_("£17,760, all the notes in the box"),
                N_("£20,000"),
            ),
            "1-money-option",
        ),
        Option(
            "bond-step",
            ("10", "1"),
            N_("Bonds are multiples of"),
            (N_("£10"), N_("£1")),
            "2.5.2",
        ),
        Option.switch(
            "dual-any-gauge", N_("Dual track may be extended in any gauge"), "option-dual-any-gauge"
        ),
        Option.switch(
            "illegal-contracts",
            N_("Illegal contracts are possible, with vote and penalty"),
            "2.5.12",
        ),
    )

    def __init__(self, data: bytes | None = None) -> None:
        components = Components1853(standard_data() if data is None else data)
        super().__init__(Ruleset1853(components))
        ruleset = self.ruleset
        ruleset.triggers = Triggers1853(ruleset)
        claims = {
            kind: contracts.WithClaims(ruleset, self.steps[kind]) for kind in contracts.CLAIM_STEPS
        }
        self.steps = {**self.steps, **claims}
        self.evaluator = Evaluator1853(ruleset)

    @property
    def data_is_standard(self) -> bool:
        return self.data_hash == TITLE.data_hash

    def with_data(self, data: bytes) -> Title1853:
        return Title1853(data)

    # ---- component data

    def printed_components(self, file: Data, words: Words) -> Sequence[PrintedComponent]:
        components, sizes = self.ruleset.components, self.look.sizes
        return [
            *cities(file, words),
            *hexes(components, self.packaged_data, file, sizes, words),
            *tiles(components, file, words, sizes),
            *companies(file, words, with_par=True),
        ]

    @cached_property
    def component_notes(self) -> Mapping[str, Note]:
        return city_notes(self.ruleset.components)

    @cached_property
    def premoves(self) -> Premoves[State1853]:
        return Premoves1853(self.ruleset)

    # ---- course of play

    def variants(self, options: Mapping[str, str]) -> Variants1853:
        return variants(options)

    def setup(self, seats: int, options: Mapping[str, str]) -> State1853:
        """Set up a game; the contracts come before the first stock round [1-flow-a]."""
        state = super().setup(seats, options)
        bank = state.ledger.items["money"]
        bank[BANK] += state.house.bank - self.ruleset.components.file.setup.bank
        state.contracts = [Contract() for _ in range(seats)]
        state.charters = self.ruleset.charters()
        state.unredeemed = [{} for _ in range(seats)]
        state.drawn = [{} for _ in range(seats)]
        state.noticed = [[] for _ in range(seats)]
        state.agenda += [PayShares(), WriteBonds(list(range(seats)))]
        return state

    def view(self, state: State1853, seat: int | None) -> State1853:
        """Hide the bonds, cities and votes of others until the end [2.5.2, 2.5.4, 5.2.1]."""
        if not state.agenda:
            return state
        return masked(state, self.ruleset, seat)

    def determinize(self, view: State1853, seat: int | None, rng: random.Random) -> State1853:
        if view.agenda:
            guess(view, self.ruleset, seat, rng)
        return view

    def uncorrectable(self, state: State1853, kind: str) -> IllegalAction | None:
        return corrections.uncorrectable(state) or super().uncorrectable(state, kind)

    def spelling(self) -> Mapping[str, Iterable[str]]:
        return {**super().spelling(), "CITY": self.ruleset.components.cities}

    def encoding(self, seats: int) -> Encoding:
        return encoding(self.ruleset.components, seats)

    # ---- what is said and shown

    def draw(self, state: State1853, words: Words, marks: Sequence[str] = ()) -> str:
        return drawing.draw(state, self.ruleset, words.speaking(self.terms), marks)

    def legend(self, words: Words) -> list[LegendPart]:
        return drawing.legend_parts(self.ruleset, self.look, words.speaking(self.terms))

    @cached_property
    def look(self) -> MapLook:
        return drawing.map_look(self.ruleset.components)

    def voice(self, words: Words) -> Texts1853:
        return Texts1853(self.ruleset, words.speaking(self.terms))

    def announces(self, event: Event) -> bool:
        return super().announces(event) or isinstance(
            event,
            events.BondsShown
            | events.Founded
            | events.DirectorLost
            | events.ContractShown
            | events.ElephantSold
            | events.RoundOrdered,
        )

    def irrevocable(self, action: Action) -> bool:
        """Whether an action cannot be taken back: others have been asked, or the choice is
        final."""
        return isinstance(
            action,
            Discard | WriteBond | TakeRight | SettleTrain | OrderRound | ShowContract | Vote,
        )

    def shows(self, events_: Sequence[Event]) -> bool:
        return any(
            isinstance(event, events.BondsShown | events.ContractShown | events.PardonDecided)
            or (isinstance(event, events.FormFixed) and event.shown != ())
            for event in events_
        )


TITLE = Title1853()
