"""Nimm den Zug, in English Take a Train (Violetta Kijowska and Marcin Ropka): auctioned locomotives pull wagons over
three rounds."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import ClassVar

from msgspec.structs import replace

from kursbuch.core.actions import Action
from kursbuch.core.components import Data, PrintedComponent, completed
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.core.state import Decision, Encoding, Ledger
from kursbuch.core.tally import Tally
from kursbuch.core.title import (
    ROUND,
    Audience,
    ObjectionTexts,
    Option,
    Premoves,
    Result,
    Title,
    hash_data,
    parse_data,
)
from kursbuch.core.words import N_, Words
from kursbuch.games.nimm import corrections, drawing, printed
from kursbuch.games.nimm import events as happened
from kursbuch.games.nimm.actions import Bid, Hold, Keep, NimmAction, Pass, Ready, Replace
from kursbuch.games.nimm.auctions import PHASE_ONE
from kursbuch.games.nimm.components import CardFile, Cards, standard_data
from kursbuch.games.nimm.evaluation import NimmEvaluator
from kursbuch.games.nimm.events import ANNOUNCED, BidsShown, DraftShown, LocosShown, RoundBegan
from kursbuch.games.nimm.hidden_information import guess, mask
from kursbuch.games.nimm.holdings import in_order, knows_money, money
from kursbuch.games.nimm.state import (
    Closing,
    NewRound,
    NimmState,
    OpenAuction,
    Opening,
    PhaseTwo,
    Reckoning,
    SealedRaises,
    SpecialTaken,
    Turn,
    TurnAuction,
    auction_item,
    card_item,
    encoding,
    loco_item,
    target_item,
)
from kursbuch.games.nimm.steps import (
    ClosingRules,
    NewRoundRules,
    OpeningRules,
    PhaseTwoRules,
    ReckoningRules,
    SpecialTakenRules,
    TurnRules,
)
from kursbuch.games.nimm.tally import tally
from kursbuch.games.nimm.text import AUCTION, NimmVoice


class NimmPremoves(Premoves[NimmState]):
    """Premoves for auctions and turns of phase two."""

    by_any_seat: ClassVar[frozenset[str]] = frozenset((ROUND, AUCTION))

    def situations(self, state: NimmState, seat: int) -> Iterator[NimmState]:
        if state.order and isinstance(state.agenda[-1], Turn | SpecialTaken):
            yield replace(state, agenda=[Turn(seat, False)])

    def passing(self, state: NimmState, decision: Decision) -> Action | None:
        match state.agenda[-1]:
            case TurnAuction() | Turn():
                return Pass(decision.seat)
            case OpenAuction() | SealedRaises():
                return Hold(decision.seat)
            case SpecialTaken() | Closing():
                return Ready(decision.seat)
        return None

    def lot(self, state: NimmState, seat: int) -> str:
        match state.agenda[-1]:
            case TurnAuction(loco=loco, active=seats):
                bids = seat in seats
            case OpenAuction(loco=loco, others=others, bidder=bidder):
                bids = seat in others or seat == bidder
            case SealedRaises(loco=loco, seats=others, bidder=bidder):
                bids = seat in others or seat == bidder
            case _:
                return ""
        # A locomotive may return in a later round.
        return f"{loco}/{state.round}" if bids else ""

    def triggers(self, state: NimmState, seat: int) -> Sequence[str]:
        return [ROUND] if state.order else [AUCTION, ROUND]

    def happened(self, event: Event) -> Iterable[str]:
        match event:
            case happened.RoundEnded() | happened.RoundBegan():
                return (ROUND, AUCTION)
            case happened.LocoOffered() | happened.LocoSold():
                return (AUCTION,)
        return ()


class Nimm(Title[NimmState]):
    """The title with its data, steps, texts and drawing."""

    id: ClassVar[str] = "nimm"
    name: ClassVar[str] = "Nimm den Zug"
    seats: ClassVar[range] = range(2, 7)
    minutes: ClassVar[int] = 45
    summary: ClassVar[str] = N_(
        "Buy locomotives at auction, couple the wagons that pay best, and be the richest after three rounds."
    )
    audience: ClassVar[Audience | None] = Audience.FAMILY
    difficulty: ClassVar[int] = 2
    cutout = (503, 514, 346, 194.6)
    package: ClassVar[str] = "kursbuch.games.nimm"
    data_file: ClassVar[str] = "cards.json"
    reconstructed: ClassVar[str] = N_(
        "The values of most locomotives, wagons and order tiles are recorded nowhere and have been reconstructed."
    )
    objection_texts: ClassVar[ObjectionTexts | None] = ObjectionTexts(
        time=N_("Time to raise in an open auction"),
        unlimited=N_("no limit: everyone answers every bid"),
        mine="",
        silence=N_("If time runs out, that counts as a pass. A higher bid restarts the clock."),
        calls=(N_("Going twice …"), N_("Going once …")),
        never=N_("Let every bid for {subject} stand"),
        standing=N_("You let every bid for {subject} stand."),
    )
    state_type = NimmState
    action_type = NimmAction
    options: ClassVar[tuple[Option, ...]] = (
        Option(
            "open_auction",
            ("calls", "rounds"),
            N_("Open auctions"),
            (N_("called out, against the clock"), N_("by mail, in rounds of sealed raises")),
            "option-open",
        ),
    )

    def __init__(self, data: bytes | None = None) -> None:
        standard = standard_data()
        given = standard if data is None else completed(data, self.id, standard)
        file = parse_data(given, CardFile)
        self.data_hash = hash_data(file)
        self.cards = cards = Cards(file)
        self.steps = {
            Opening: OpeningRules(cards),
            NewRound: NewRoundRules(cards),
            **{step: rules(cards) for step, rules in PHASE_ONE.items()},
            PhaseTwo: PhaseTwoRules(cards),
            Turn: TurnRules(cards),
            SpecialTaken: SpecialTakenRules(cards),
            Closing: ClosingRules(cards),
            Reckoning: ReckoningRules(cards),
        }
        self.evaluator = NimmEvaluator(cards)
        self.corrections = [kind(cards) for kind in corrections.KINDS]

    @property
    def data_is_standard(self) -> bool:
        return self.data_hash == TITLE.data_hash

    def with_data(self, data: bytes) -> Nimm:
        return Nimm(data)

    def printed_components(self, file: Data, words: Words) -> Sequence[PrintedComponent]:
        return list(printed.components(self.cards, file, words))

    # ---- play

    def setup(self, seats: int, options: Mapping[str, str]) -> NimmState:
        """All cards and tiles in their decks and pools [setup-1, setup-3]."""
        cards = self.cards
        items = {"money": {"bank": 0}}
        items |= {loco_item(loco.id): {"unseen": 1} for loco in cards.locomotives}
        items |= {card_item(card): {"deck": count} for card, count in cards.counts.items()}
        items |= {target_item(tile): {"pool": 1} for tile in cards.targets}
        items |= {auction_item(auction): {"pool": 1} for auction in cards.auctions}
        return NimmState(
            seats=seats,
            agenda=[Opening()],
            ledger=Ledger(items),
            round=0,
            start=0,
            auction="",
            unseen=0,
            offer=[],
            trains=[[] for _ in range(seats)],
            order=[],
            display=[],
            longer=False,
            passes=0,
            special=None,
            tiles=[0] * seats,
            used=[0] * seats,
            by_rounds=options["open_auction"] == "rounds",
        )

    def result(self, state: NimmState) -> Result | None:
        """The most money wins, then the most target tiles used; otherwise a shared victory [end-1, end-2]."""
        if state.agenda:
            return None
        scores = self.scores(state)
        ranks = list(zip(scores, state.used, strict=True))
        return Result(scores, tuple(n for n, rank in enumerate(ranks) if rank == max(ranks)))

    def scores(self, state: NimmState) -> tuple[int, ...]:
        return tuple(money(state, seat) for seat in range(state.seats))

    def worth(self, state: NimmState) -> tuple[int | None, ...]:
        """None for the money of others, behind their screens [setup-4]."""
        return tuple(
            money(state, seat) if knows_money(state, seat) else None for seat in range(state.seats)
        )

    def tally(self, state: NimmState, events: Sequence[Event]) -> Tally:
        """Money paid and expected by source; see `tally`."""
        return tally(self.cards, state, events)

    def view(self, state: NimmState, seat: int | None) -> NimmState:
        """Hide the others' money, target tiles, secret bids and hands; all is open at the end [setup-4, setup-5]."""
        if not state.agenda:
            return state
        view = self.clone(state)
        mask(view, self.cards, seat)
        return view

    def determinize(self, view: NimmState, seat: int | None, rng: random.Random) -> NimmState:
        if view.agenda:
            guess(view, self.cards, seat, rng)
        return view

    def uncorrectable(self, state: NimmState, kind: str) -> IllegalAction | None:
        return corrections.uncorrectable(state, kind)

    def encoding(self, seats: int) -> Encoding:
        return encoding(self.cards, seats)

    # ---- notation

    def spelling(self) -> Mapping[str, Iterable[str]]:
        cards = self.cards
        return {"LOCOMOTIVE": cards.locomotive, "CARD": cards.counts, "TARGET": cards.targets}

    def action_from_json(self, data: object) -> Action:
        """Accept cards to be replaced in any order, as in notation."""
        action = super().action_from_json(data)
        if isinstance(action, Replace):
            return Replace(action.seat, tuple(in_order(self.cards, action.cards)))
        return action

    @cached_property
    def premoves(self) -> Premoves[NimmState]:
        return NimmPremoves()

    # ---- text and drawing

    def voice(self, words: Words) -> NimmVoice:
        return NimmVoice(self.cards, words)

    def draw(self, state: NimmState, words: Words, marks: Sequence[str] = ()) -> str:
        return drawing.draw(state, self.cards, words, marks)

    def opens(self, event: Event) -> bool:
        return isinstance(event, RoundBegan)

    def announces(self, event: Event) -> bool:
        return isinstance(event, ANNOUNCED)

    def marks(self, events: Sequence[Event]) -> list[str]:
        return drawing.marks(events)

    def irrevocable(self, action: Action) -> bool:
        """Secret bids and actions that turn up cards cannot be taken back."""
        return isinstance(action, Bid | Keep | Replace)

    def shows(self, events: Sequence[Event]) -> bool:
        return any(isinstance(event, BidsShown | LocosShown | DraftShown) for event in events)

    def standing_refusal(self, state: NimmState, decision: Decision) -> tuple[str, Action] | None:
        """Let the highest bid of an open auction stand. A clock applies this when the time is up [auction-open-4,
        option-open]. It decides nothing else: passing in turn is final, and an unused target tile may be lost."""
        match state.agenda[-1] if state.agenda else None:
            case OpenAuction(loco=loco) | SealedRaises(loco=loco):
                # A locomotive may return in a later round.
                return f"{loco}/{state.round}", Hold(decision.seat)
        return None


TITLE = Nimm()
