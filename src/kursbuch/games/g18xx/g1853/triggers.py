"""Triggers of 1853: the end of the first stock round, tiles, trains, the elephant."""

from __future__ import annotations

from kursbuch.core.play import Play
from kursbuch.core.state import Step
from kursbuch.games.g18xx.components import BANK, BOX, STACK, train_item
from kursbuch.games.g18xx.g1853 import contracts
from kursbuch.games.g18xx.g1853 import events as here
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.state import ExtraRound, SellElephant, State1853
from kursbuch.games.g18xx.ruleset import Triggers
from kursbuch.games.g18xx.state import Build, EndGame, Round, Surplus


class Triggers1853(Triggers[State1853]):
    """Triggers of 1853."""

    def __init__(self, ruleset: Ruleset1853) -> None:
        self.ruleset = ruleset

    # ---- stock rounds

    def stock_round_began(self, play: Play[State1853]) -> None:
        """Found companies whose shares the contracts have sold [2.7.5]."""
        state = play.state
        self._begin_series(state)
        if state.round.number == 1:
            for company in self.ruleset.public:
                self.ruleset.float.settle(play, company)

    def _begin_series(self, state: State1853) -> None:
        """Reset foundings and the question about one more operating round [3.1.8, 4.9]."""
        state.founded, state.opening, state.purchase, state.extra = [], [], "", False
        state.noticed = [[] for _ in range(state.seats)]

    def round_corrected(self, state: State1853, before: Round) -> None:
        if state.round.number != before.number:
            self._begin_series(state)
        elif not state.round.part:
            # The operating rounds of this series are still to come.
            state.extra = False

    def stock_round_over(self, play: Play[State1853]) -> None:
        """After the first stock round, start all founded companies: directors and managers, the
        form of the BBCI, more trains, capital and homes [2.9.1]."""
        state, ruleset = play.state, self.ruleset
        if state.round.number > 1:
            return
        founded = [company for company in ruleset.public if company in state.founded]
        for company in founded:
            state.companies[company].operating = True
            ruleset.float.appoint(play, company)
        self._fix_forms(play)
        small = [company for company in founded if not state.charters[company].large]
        if small:
            self._add_trains(play)
        for company in founded:
            ruleset.float.begin(play, company)
        # What follows depends on whether this has broken the bank.
        ruleset.watch_bank(play)

    def _fix_forms(self, play: Play[State1853]) -> None:
        """Fix the size of a company that may be large: it is if its director's contract holds all
        its homes [2.6.2, 2.6.3]."""
        state, components = play.state, self.ruleset.components
        for company, size in components.size.items():
            if size != "either":
                continue
            charter = state.charters[company]
            cities = tuple(home.city for home in components.homes[company])
            seat = charter.director
            charter.large = seat is not None and set(cities) <= set(state.contracts[seat].cities)
            charter.token = not charter.large
            if charter.large:
                state.claimant = seat
            if state.companies[company].operating:
                play.emit(
                    here.FormFixed(
                        rule="2.6.2" if charter.large else "2.6.3",
                        company=company,
                        large=charter.large,
                        shown=cities if charter.large else (),
                    )
                )

    def _add_trains(self, play: Play[State1853]) -> None:
        """Add trains that come with a small company [2.8.4, 4.8.16]."""
        state = play.state
        state.small_founded = True
        added = []
        for record in self.ruleset.components.file.trains:
            if record.count:
                for _ in range(record.small_count - record.count):
                    state.ledger.move(train_item(record.id), BOX, STACK)
                    added.append(record.id)
        play.emit(here.TrainsAdded(rule="2.8.4", trains=tuple(added)))

    def priority_moved(self, play: Play[State1853]) -> None:
        """Offer the sale of the elephant [3.1.11]."""
        if not play.state.broken:
            play.push(SellElephant())

    def after_stock_round(self, state: State1853) -> Step:
        """The end of the game, if the bank has broken in the stock round [5.1.2]."""
        return EndGame() if state.broken else super().after_stock_round(state)

    # ---- operating rounds

    def next_round(self, state: State1853) -> Step:
        """After the last round of a series, ask the holder of the elephant [4.9]."""
        if state.broken or state.round.part < state.round.parts or state.extra:
            return super().next_round(state)
        return ExtraRound()

    def tile_laid(self, play: Play[State1853], hex: str, private: str) -> None:
        """Charge a second tile's fee, note the hex's bonus and the obligation to run there, and
        check contracts [4.1.3, 4.1.14, 4.2.3, 4.3.2]."""
        state, ruleset = play.state, self.ruleset
        step = state.agenda[-1]
        assert isinstance(step, Build)
        company, turn = step.company, state.turn
        board = ruleset.components.board
        if board.tiles[state.layout.tiles[hex].tile].colour != "yellow":
            turn.upgraded = True
            if hex not in ruleset.components.territory[company]:
                turn.duties.append((hex, -1))
        else:
            fee = ruleset.builder.fee(state, company)
            turn.tiles.append(hex)
            turn.bonus += ruleset.components.bonus.get(hex, 0)
            if fee:
                state.ledger.move("money", company, BANK, fee)
                play.emit(here.FeePaid(rule="4.1.3", company=company, amount=fee))
        contracts.check(ruleset, play)

    def station_placed(self, play: Play[State1853], company: str, hex: str, stop: int) -> None:
        """Outside the territory a train has to run there [4.4.2]."""
        if hex not in self.ruleset.components.territory[company]:
            play.state.turn.duties.append((hex, stop))

    def train_bought(self, play: Play[State1853], company: str, train: str, source: str) -> None:
        """Use up the loco token if it bought a train of a later phase [4.8.19]."""
        state = play.state
        phase = self.ruleset.depot.metre_trains.get(train, 0)
        if source == BANK and phase > self.ruleset.phase(state).number:
            state.charters[company].token = False
            play.emit(here.LocoTokenUsed(rule="4.8.19", company=company, train=train))

    def phase_began(self, play: Play[State1853], company: str, seat: int) -> None:
        """Cancel debts for rusted trains; companies discard trains in operating order [3.4.3,
        4.8.6]."""
        state, ruleset = play.state, self.ruleset
        for name, charter in state.charters.items():
            if charter.credit and charter.credit not in ruleset.trains(state, name):
                charter.end_credit()
        above = ruleset.depot.above_limit(state, ruleset.control.order(state))
        if above:
            play.push(Surplus(above))
