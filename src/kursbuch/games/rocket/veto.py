"""The veto on the move of a locomotive. Ids in brackets are those of rules.toml."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kursbuch.core.actions import Action, Choice, Range
from kursbuch.core.errors import IllegalAction, Players, Plural
from kursbuch.core.words import N_
from kursbuch.games.rocket import events as happened
from kursbuch.games.rocket.actions import Bid, CallVeto, LetStand, PassVeto
from kursbuch.games.rocket.asking import RocketRules
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.counts import RocketPlay, all_shares, biddable, clockwise, real_shares
from kursbuch.games.rocket.geography import closed_to, destinations, no_hex
from kursbuch.games.rocket.state import (
    SEATS,
    Objection,
    RocketState,
    Settlement,
    Veto,
    share,
    supplementary,
)


def _out_of_turn(
    usual: IllegalAction, step: Objection | Veto, action: Action, line: str
) -> IllegalAction:
    """Why a further action of a turn must wait: for the active player until his move is settled."""
    if action.seat != step.seat:
        return usual
    return IllegalAction(
        "turn-5",
        "First the others decide on your move with {line}, then your turn goes on.",
        line=line,
    )


class ObjectionRules(RocketRules[Objection]):
    """Holders of shares may call a veto round; one call suffices [veto-1, veto-2]."""

    asks = ("veto-2", N_("Now it is only asked whether somebody calls a veto round."))

    def deciders(self, state: RocketState, step: Objection) -> Sequence[int]:
        return step.waiting

    def candidates(self, state: RocketState, step: Objection, seat: int) -> Iterable[Choice]:
        return Choice(LetStand(seat)), Choice(CallVeto(seat))

    def not_asked(self, state: RocketState, step: Objection, action: Action) -> IllegalAction:
        line = self.boards.of(state).lines[step.line].id
        if isinstance(action, Bid | PassVeto):
            return IllegalAction(*self.asks)
        if not isinstance(action, LetStand | CallVeto):
            return _out_of_turn(super().not_asked(state, step, action), step, action, line)
        if action.seat == step.seat:
            return IllegalAction("veto-2", "Only the others can object to your own move.")
        if not all_shares(state, self.boards.of(state), step.line)[action.seat]:
            return IllegalAction(
                "veto-1", "You hold no share of {line}, so you have no right of veto.", line=line
            )
        return IllegalAction("veto-2", "You have already let the move of {line} stand.", line=line)

    def problem(self, state: RocketState, step: Objection, action: Action) -> IllegalAction | None:
        if isinstance(action, LetStand | CallVeto):
            return None
        return super().problem(state, step, action)

    def perform(
        self, state: RocketState, step: Objection, action: Action, play: RocketPlay
    ) -> None:
        if isinstance(action, LetStand):
            step.waiting.remove(action.seat)
            play.emit(happened.LetStood(rule="veto-2", seat=action.seat))
            if not step.waiting:
                play.done()
                play.push(Settlement(step.seat, step.line, step.hex, step.hex))
            return
        play.done()
        play.emit(happened.VetoCalled(rule="veto-2", seat=action.seat))
        held = all_shares(state, self.boards.of(state), step.line)
        order = [seat for seat in clockwise(state, step.seat)[1:] if held[seat]]
        play.push(Veto(step.seat, step.line, step.hex, [*order, step.seat], None, 0, step.hex))
        _skip_forced_passes(state, self.boards.of(state), play)


def _skip_forced_passes(state: RocketState, board: Board, play: RocketPlay) -> None:
    """Whoever cannot bid enough passes without being asked; without any bid the active player
    need not speak [veto-11]."""
    step = state.agenda[-1]
    assert isinstance(step, Veto)
    while step.order:
        seat = step.order[0]
        if seat == step.seat and step.bidder is None:
            step.order.pop(0)
        elif biddable(state, board, step.line, seat) < _lowest_bid(step, seat):
            step.order.pop(0)
            play.emit(happened.BidPassed(rule="veto-5", seat=seat, forced=True))
        else:
            return


def _lowest_bid(step: Veto, seat: int) -> int:
    """One more than the bid before; for the active player as many [veto-5, veto-9]."""
    return step.shares if seat == step.seat else step.shares + 1


class VetoRules(RocketRules[Veto]):
    """Everybody may bid once, clockwise, the active player last [veto-3]."""

    asks = ("veto-4", N_("In a veto round you bid shares for a destination, or pass."))

    def deciders(self, state: RocketState, step: Veto) -> Sequence[int]:
        return step.order[:1]

    def attempts(
        self, state: RocketState, step: Veto, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        kind, _, name = keys[-1].partition(":")
        return [Bid(seat, name, _lowest_bid(step, seat))] if kind == "hex" else []

    def candidates(self, state: RocketState, step: Veto, seat: int) -> Iterable[Choice]:
        board = self.boards.of(state)
        low, high = _lowest_bid(step, seat), biddable(state, board, step.line, seat)
        places = [step.hex] if seat == step.seat else destinations(state, board, step.line)
        yield Choice(PassVeto(seat))
        if low <= high:
            for place in places:
                yield Choice(Bid(seat, board.hex_names[place], low), Range(low, high))

    def not_asked(self, state: RocketState, step: Veto, action: Action) -> IllegalAction:
        board = self.boards.of(state)
        line = board.lines[step.line].id
        if isinstance(action, LetStand | CallVeto):
            return IllegalAction(
                "veto-11", "The veto round on the move of {line} is already under way.", line=line
            )
        if not isinstance(action, Bid | PassVeto):
            return _out_of_turn(super().not_asked(state, step, action), step, action, line)
        if action.seat in step.order:
            return IllegalAction(
                "veto-3",
                "Bids are made clockwise, the active player's last: {players} must decide now.",
                players=Players(self.deciders(state, step)),
            )
        if not all_shares(state, board, step.line)[action.seat]:
            return IllegalAction(
                "veto-1", "You hold no share of {line}, so you have no right of veto.", line=line
            )
        return IllegalAction(
            "veto-3", "You have had your one opportunity to bid in this veto round."
        )

    def problem(self, state: RocketState, step: Veto, action: Action) -> IllegalAction | None:
        match action:
            case PassVeto():
                return None
            case Bid():
                return self._place_problem(state, step, action) or self._shares_problem(
                    state, step, action
                )
        return super().problem(state, step, action)

    def _place_problem(self, state: RocketState, step: Veto, action: Bid) -> IllegalAction | None:
        board = self.boards.of(state)
        place = board.hex_index.get(action.hex)
        if place is None:
            return no_hex(action.hex)
        if place == step.hex:
            return None
        if action.seat == step.seat:
            return IllegalAction("veto-8", "The active player can only defend his own destination.")
        closed = closed_to(state, board, step.line, action.hex)
        return closed and IllegalAction("veto-6", closed.template, **closed.params)

    def _shares_problem(self, state: RocketState, step: Veto, action: Bid) -> IllegalAction | None:
        board = self.boards.of(state)
        low, high = _lowest_bid(step, action.seat), biddable(state, board, step.line, action.seat)
        if action.shares < low:
            rule = "veto-9" if action.seat == step.seat else "veto-5"
            return IllegalAction(rule, "The bid must be at least {low}.", low=low)
        if action.shares > high:
            return IllegalAction(
                "veto-12",
                Plural("You can return at most {n} share.", "You can return at most {n} shares."),
                n=high,
            )
        return None

    def perform(self, state: RocketState, step: Veto, action: Action, play: RocketPlay) -> None:
        board = self.boards.of(state)
        step.order.pop(0)
        if isinstance(action, Bid):
            step.bidder, step.shares, step.target = (
                action.seat,
                action.shares,
                board.hex_index[action.hex],
            )
            play.emit(
                happened.BidMade(
                    rule="veto-4", seat=action.seat, hex=action.hex, shares=action.shares
                )
            )
        else:
            play.emit(happened.BidPassed(rule="veto-7", seat=action.seat, forced=False))
        _skip_forced_passes(state, board, play)

    def run(self, state: RocketState, step: Veto, play: RocketPlay) -> None:
        """Only the last bidder returns shares, and the locomotive goes where he said [veto-10]."""
        board = self.boards.of(state)
        play.done()
        line = board.lines[step.line].id
        play.emit(
            happened.VetoDecided(
                rule="veto-11" if step.bidder is None else "veto-10",
                seat=step.bidder,
                line=line,
                hex=board.hex_names[step.target],
                shares=step.shares,
            )
        )
        if step.bidder is not None:
            _return_shares(state, board, step, step.bidder, play)
        play.push(Settlement(step.seat, step.line, step.hex, step.target))


def _return_shares(
    state: RocketState, board: Board, step: Veto, bidder: int, play: RocketPlay
) -> None:
    """Real shares go back; who has too few first exchanges supplementary ones with the other
    holders, clockwise from his left [veto-12, veto-13]."""
    line = board.lines[step.line].id
    ledger = state.ledger
    missing = step.shares - real_shares(state, board, step.line, bidder)
    for other in clockwise(state, bidder)[1:]:
        swapped = min(max(missing, 0), real_shares(state, board, step.line, other))
        if swapped:
            ledger.move(share(line), SEATS[other], SEATS[bidder], swapped)
            ledger.move(
                "supplementary", supplementary(bidder, line), supplementary(other, line), swapped
            )
            missing -= swapped
            play.emit(
                happened.SharesSwapped(
                    rule="veto-12", seat=bidder, other=other, line=line, shares=swapped
                )
            )
    gone = state.isolated[step.line]
    ledger.move(share(line), SEATS[bidder], "gone" if gone else "stock", step.shares)
    play.emit(
        happened.SharesReturned(
            rule="veto-13", seat=bidder, line=line, shares=step.shares, gone=gone
        )
    )
