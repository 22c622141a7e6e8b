"""Positions of Nimm den Zug for tests, made readably and consistently.

Players are called A, B, C …, clockwise; A starts the auction unless said otherwise. No one has
target tiles unless a test deals them. `coming` names the next cards that will be drawn.

>>> scene = Scene(3).coming("E3", "D5", "S5").auction("sealed")
>>> events = scene.do("A offers D5", "A bids 500", "B bids 450", "C bids 0")
>>> scene.locos("A"), scene.purse("A"), scene.purse("B")
(['D5'], 4500, 5000)
"""

from __future__ import annotations

import pytest

from kursbuch.core.actions import Action
from kursbuch.core.chance import SeededChance
from kursbuch.core.errors import IllegalAction
from kursbuch.core.events import Event
from kursbuch.core.game import Game
from kursbuch.core.play import Play
from kursbuch.core.state import Step
from kursbuch.games.nimm import TITLE, Nimm
from kursbuch.games.nimm.holdings import locos_at, order
from kursbuch.games.nimm.state import (
    NewRound,
    NextAuction,
    NimmState,
    PhaseTwo,
    Train,
    Turn,
    auction_item,
    card_item,
    loco_item,
    owner,
    target_item,
)

NAMES = "ABCDEF"


class Coming:
    """Chance that draws the named cards first."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.names: list[str] = []
        self.later = SeededChance("scene")

    def draw(self, counter: int, sides: int) -> int:
        if not self.names:
            return self.later.draw(counter, sides)
        name = self.names.pop(0)
        state, cards = self.scene.state, self.scene.title.cards
        items = state.ledger.items
        if name in cards.locomotive:
            return locos_at(state, cards, "unseen" if state.unseen else "deck").index(name)
        if name in cards.counts:
            before = 0
            for card in cards.counts:
                count = items[card_item(card)].get("deck", 0)
                if card == name:
                    assert count, f"{name} is not in the deck"
                    return before
                before += count
        pool = [auction for auction in cards.auctions if "pool" in items[auction_item(auction)]]
        return pool.index(name)


class Scene:
    """A game in a position made for a test. The methods that set something return the scene."""

    def __init__(
        self, players: int = 3, *, title: Nimm = TITLE, options: dict[str, str] | None = None
    ) -> None:
        self.title = title
        self.game = Game(title, NAMES[:players], options, seed="scene")
        self.chance = Coming(self)
        self.game.position.chance = self.chance
        state = self.state
        state.ledger = title.setup(players, title.option_values(options or {})).ledger
        for seat in range(players):
            state.ledger.move("money", "bank", owner(seat), title.cards.setup.start_money)
        state.agenda.clear()
        state.round, state.start, state.auction = 1, 0, "turn"
        state.ledger.move(auction_item("turn"), "pool", "table")
        state.trains = [[] for _ in range(players)]
        state.tiles = [0] * players
        state.offer, state.display, state.order = [], [], []
        state.unseen = title.cards.used(players)

    @property
    def state(self) -> NimmState:
        state = self.game.state
        assert isinstance(state, NimmState)
        return state

    def put(self, item: str, target: str, source: str = "") -> None:
        """Move one piece from wherever it is, preferably from `source`."""
        row = self.state.ledger.items[item]
        holder = source if source in row else next(iter(row))
        self.state.ledger.move(item, holder, target)

    # ---- setting the scene

    def coming(self, *names: str) -> Scene:
        """The cards that will be drawn next."""
        self.chance.names = list(names)
        return self

    def money(self, **sums: int) -> Scene:
        """What players have."""
        for name, sum_ in sums.items():
            holder = owner(NAMES.index(name))
            ledger = self.state.ledger
            ledger.move("money", holder, "bank", ledger.held("money", holder))
            ledger.move("money", "bank", holder, sum_)
        return self

    def own(self, **locos: str) -> Scene:
        """The locomotives players have; - is a spare one."""
        for name, list_ in locos.items():
            seat = NAMES.index(name)
            for loco in list_.split():
                if loco == "-":
                    spare = locos_at(self.state, self.title.cards, "unseen")[0]
                    self.put(loco_item(spare), "spare")
                    self.state.trains[seat].append(Train("", []))
                else:
                    self.put(loco_item(loco), owner(seat))
                    self.state.trains[seat].append(Train(loco, []))
                self.state.unseen -= 1
        return self

    def load(self, name: str, train: int, cards: str) -> Scene:
        """Couple wagons to a player's train."""
        seat = NAMES.index(name)
        for card in cards.split():
            self.put(card_item(card), owner(seat), "deck")
            self.state.trains[seat][train - 1].wagons.append(card)
        return self

    def open(self, cards: str) -> Scene:
        """The open cards of the wagon deck."""
        for card in cards.split():
            self.put(card_item(card), "display", "deck")
            self.state.display.append(card)
        return self

    def pile(self, holder: str, cards: str) -> Scene:
        """Put cards of the wagon deck somewhere else."""
        for card in cards.split():
            self.put(card_item(card), holder, "deck")
        return self

    def empty_deck(self) -> Scene:
        """Take the wagon deck away."""
        for card in self.title.cards.counts:
            ledger = self.state.ledger
            ledger.move(card_item(card), "deck", "box", ledger.held(card_item(card), "deck"))
        return self

    def tiles(self, **tiles: str) -> Scene:
        """The target tiles players hold, by number."""
        for name, list_ in tiles.items():
            seat = NAMES.index(name)
            for number in list_.split():
                self.put(target_item(f"target-{number}"), owner(seat))
                self.state.tiles[seat] += 1
        return self

    def auction(self, kind: str, starter: str = "A") -> Scene:
        """Begin an auction of that type."""
        state = self.state
        self.put(auction_item(state.auction), "pool")
        self.put(auction_item(kind), "table")
        state.auction = kind
        return self.run(NextAuction(NAMES.index(starter)))

    def run(self, step: Step) -> Scene:
        """Go on with a step."""
        play: Play[NimmState] = Play(self.state, self.chance)
        play.push(step)
        self.game.position.run(play)
        self.events = play.events
        return self

    def turn(self, name: str = "A", order_: str = "") -> Scene:
        """A player's turn of phase two, the order being that of the locomotives unless given."""
        state = self.state
        state.order = [NAMES.index(n) for n in order_.split()] or order(state, self.title.cards)
        state.agenda = [Turn(NAMES.index(name), False)]
        return self

    def phase_two(self) -> Scene:
        """Set the order and turn up the wagons."""
        return self.run(PhaseTwo())

    def new_round(self, number: int) -> Scene:
        """Prepare a round."""
        return self.run(NewRound(number))

    # ---- playing

    def do(self, *lines: str) -> list[Event]:
        """Make these moves; returns everything that happened."""
        found: list[Event] = []
        for line in lines:
            action = self.game.parse(line)
            assert any(choice.covers(action) for choice in self.game.legal_actions(action.seat)), (
                f"{line!r} is not among the legal actions"
            )
            found += self.game.position.apply(action)
        return found

    def refused(self, line: str) -> str:
        """The rule that forbids a move; nothing has changed."""
        return self.refused_action(self.game.parse(line))

    def refused_action(self, action: Action) -> str:
        """The rule that forbids an action; nothing has changed."""
        before = self.title.encode(self.state)
        assert not any(choice.covers(action) for choice in self.game.legal_actions(action.seat))
        with pytest.raises(IllegalAction) as error:
            self.game.position.apply(action)
        assert self.title.encode(self.state) == before
        rule = error.value.rule
        # Only what is a matter of form has no rule, and says so.
        assert (
            rule in self.title.rules if rule else "order of the component file" in str(error.value)
        )
        return rule

    # ---- looking

    def can(self, name: str) -> list[str]:
        """What a player may do, amounts as "bids LOW to HIGH"."""
        found = []
        for choice in self.game.legal_actions(NAMES.index(name)):
            text = self.title.format(choice.action)
            if choice.amount is not None:
                text = f"{text} to {choice.amount.high}"
            found.append(text)
        return found

    def deciders(self) -> str:
        """Who has to decide, in alphabetical order."""
        return "".join(sorted(NAMES[decision.seat] for decision in self.game.pending))

    def step(self) -> str:
        """What has to be decided."""
        return self.game.pending[0].step

    def purse(self, name: str) -> int:
        """A player's money."""
        return self.state.ledger.held("money", owner(NAMES.index(name)))

    def locos(self, name: str) -> list[str]:
        """A player's locomotives; "" is a spare one."""
        return [train.loco for train in self.state.trains[NAMES.index(name)]]

    def wagons(self, name: str, train: int) -> list[str]:
        """The wagons of a player's train."""
        return self.state.trains[NAMES.index(name)][train - 1].wagons

    def order(self) -> str:
        """The order of phase two."""
        return "".join(NAMES[seat] for seat in self.state.order)

    def at(self, holder: str) -> list[str]:
        """The locomotives in a place."""
        return locos_at(self.state, self.title.cards, holder)

    def count(self, card: str, holder: str) -> int:
        """How many of a card of the wagon deck are in a place."""
        return self.state.ledger.held(card_item(card), holder)
