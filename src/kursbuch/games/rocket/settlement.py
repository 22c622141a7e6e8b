"""Effects of a locomotive's move, and the final scoring. Ids in brackets refer to rules.toml."""

from __future__ import annotations

from kursbuch.core.state import clockwise
from kursbuch.games.rocket import events as happened
from kursbuch.games.rocket.components import Board
from kursbuch.games.rocket.state import (
    SEATS,
    FinalScoring,
    RocketPlay,
    RocketState,
    Settlement,
    Track,
    all_shares,
    is_isolated,
    kind_counts,
    living,
    new_towns,
    pay,
    prizes,
    rounding_unit,
    share,
    stations_on,
    supplementary,
    tile_supply,
    token,
    touched_lines,
)
from kursbuch.games.rocket.steps import RocketRules


class SettlementRules(RocketRules[Settlement]):
    """Settle a move: tile, passengers, scorings in order, isolation, end [turn-5]."""

    def run(self, state: RocketState, step: Settlement, play: RocketPlay) -> None:
        board = self.boards.of(state)
        play.done()
        self._move(state, board, step, play)
        self._passenger(state, board, step, play)
        touched = touched_lines(state, board, step.line, step.hex)
        self._connect(state, board, step.line, step.hex, play)
        for other in touched:
            self._merge(state, board, step.seat, step.line, other, play)
        self._isolate(state, board, play)
        tiles_used_up = tile_supply(state) == 0
        available = sum(1 for line in board.lines if state.ledger.held(share(line.id), "stock"))
        if available <= 1 or tiles_used_up:
            # The current turn and all others are over [end-1, end-2, end-3].
            play.emit(
                happened.EndReached(rule="end-2" if available > 1 else "end-1", tiles=available > 1)
            )
            state.agenda.clear()
            play.push(FinalScoring())

    def _move(self, state: RocketState, board: Board, step: Settlement, play: RocketPlay) -> None:
        """Move the locomotive and cover the hex it left, unless it is a start town [move-3, tile-1, tile-2, tile-3]."""
        line, origin = step.line, state.locomotive[step.line]
        edge = board.neighbours[origin].index(step.hex)
        covered = state.facing[line] >= 0
        if covered:
            state.ledger.move("tile", "supply", "map")
            state.track.append(Track(origin, (state.facing[line] + 3) % 6, edge, line))
        state.locomotive[line] = step.hex
        state.facing[line] = edge
        state.owner[step.hex] = line
        play.emit(
            happened.TrackLaid(
                rule="tile-1" if covered else "tile-2",
                line=board.lines[line].id,
                origin=board.hex_names[origin],
                hex=board.hex_names[step.hex],
                covered=covered,
                tiles=tile_supply(state),
            )
        )

    def _passenger(
        self, state: RocketState, board: Board, step: Settlement, play: RocketPlay
    ) -> None:
        """Give a passenger to the active player only, for another player's station on the hex he chose [passenger-1,
        passenger-2]."""
        owner = state.stations.get(step.hex, step.seat)
        if (
            step.hex == step.chosen
            and owner != step.seat
            and state.ledger.held("passenger", "supply")
        ):
            state.ledger.move("passenger", "supply", SEATS[step.seat])
            play.emit(
                happened.PassengerTaken(
                    rule="passenger-1", seat=step.seat, hex=board.hex_names[step.hex]
                )
            )

    def _connect(
        self, state: RocketState, board: Board, line: int, place: int, play: RocketPlay
    ) -> None:
        """Make all connections before the first payment; metropolises first, then railway towns [interim-1,
        interim-2]."""
        mask = new_towns(state, board, line, place)
        if not mask:
            return
        state.connected[line] |= mask
        reached = [town for number, town in enumerate(board.towns) if mask >> number & 1]
        name = board.lines[line].id
        unit = rounding_unit(state, board)
        money = board.payments
        for town in reached:
            play.emit(happened.Connected(rule="def-connected", line=name, town=town.name))
        for town in reached:
            if town.kind == "metropolis":
                row = state.ledger.items[token(town.name)]
                counts = tuple(row.get(SEATS[seat], 0) for seat in range(state.seats))
                amounts = prizes(counts, money.metropolis_first, money.metropolis_second, 1, unit)
                pay(play, amounts)
                play.emit(
                    happened.MetropolisScored(
                        rule="metro-2", amounts=amounts, metropolis=town.name, counts=counts
                    )
                )
        for town in reached:
            if town.kind == "railway":
                score_stations(state, board, line, town.name, "railtown-2", play)

    def _merge(
        self, state: RocketState, board: Board, seat: int, line: int, into: int, play: RocketPlay
    ) -> None:
        """Score the moved line and merge it into the line it touches [merge-1 to merge-10]."""
        name, target = board.lines[line].id, board.lines[into].id
        play.emit(happened.Merged(rule="merge-3", line=name, into=target))
        score_shares(state, board, line, "merge-4", play, final=False)
        dissolve(state, board, seat, line, into, play)

    def _isolate(self, state: RocketState, board: Board, play: RocketPlay) -> None:
        """Remove the stock of lines that can reach nothing new [iso-1, iso-2]."""
        for line in living(state):
            if state.isolated[line] or not is_isolated(state, board, line):
                continue
            state.isolated[line] = True
            name = board.lines[line].id
            left = state.ledger.held(share(name), "stock")
            state.ledger.move(share(name), "stock", "gone", left)
            play.emit(happened.LineIsolated(rule="iso-2", line=name, shares=left))


def dissolve(
    state: RocketState, board: Board, seat: int, line: int, into: int, play: RocketPlay
) -> None:
    """Dissolve a line into another [merge-3]. Shares are exchanged clockwise from a seat; the rest leave the game. A
    tile replaces the locomotive; a missing tile is ignored [merge-9, end-4]."""
    exchange(state, board, seat, line, into, play)
    item = share(board.lines[line].id)
    state.ledger.move(item, "stock", "gone", state.ledger.held(item, "stock"))
    place, facing = state.locomotive[line], state.facing[line]
    row = board.neighbours[place]
    contacts = [edge for edge in range(6) if row[edge] >= 0 and state.owner[row[edge]] == into]
    ahead = min(contacts, key=lambda edge: min((edge - facing) % 6, (facing - edge) % 6))
    if tile_supply(state):
        state.ledger.move("tile", "supply", "map")
        state.track.append(Track(place, (facing + 3) % 6, ahead, line))
    state.locomotive[line] = -1
    state.facing[line] = -1
    state.merged_into[line] = into
    state.owner = [into if owner == line else owner for owner in state.owner]
    state.connected[into] |= state.connected[line]


def exchange(
    state: RocketState, board: Board, seat: int, line: int, into: int, play: RocketPlay
) -> None:
    """Exchange all players' shares of a dissolved line [merge-5, merge-7]."""
    ledger, held = state.ledger, all_shares(state, board, line)
    name, target = board.lines[line].id, board.lines[into].id
    for other in clockwise(state, seat):
        if not held[other]:
            continue
        ledger.move(share(name), SEATS[other], "gone", ledger.held(share(name), SEATS[other]))
        extra = supplementary(other, name)
        ledger.move("supplementary", extra, "stock", ledger.held("supplementary", extra))
        due = held[other] // board.payments.given * board.payments.received
        real = min(due, ledger.held(share(target), "stock"))
        substitute = min(due - real, ledger.held("supplementary", "stock"))
        ledger.move(share(target), "stock", SEATS[other], real)
        ledger.move("supplementary", "stock", supplementary(other, target), substitute)
        play.emit(
            happened.SharesExchanged(
                rule="merge-5" if real == due else "merge-7",
                seat=other,
                line=name,
                into=target,
                given=held[other],
                shares=real,
                supplementary=substitute,
            )
        )


def score_stations(
    state: RocketState, board: Board, line: int, town: str, rule: str, play: RocketPlay
) -> None:
    """Score stations on a line by its number of connected towns [railtown-2, final-3]."""
    counts = tuple(stations_on(state, line))
    towns = state.connected[line].bit_count()
    first = towns * board.payments.per_town_stations
    amounts = prizes(counts, first, first, 2, rounding_unit(state, board))
    pay(play, amounts)
    play.emit(
        happened.StationsScored(
            rule=rule,
            amounts=amounts,
            line=board.lines[line].id,
            town=town,
            towns=towns,
            counts=counts,
        )
    )


def score_shares(
    state: RocketState, board: Board, line: int, rule: str, play: RocketPlay, *, final: bool
) -> None:
    """Score shares of a line by its number of connected towns [merge-4, final-4]."""
    counts = tuple(all_shares(state, board, line))
    towns = state.connected[line].bit_count()
    first = towns * board.payments.per_town_shares
    amounts = prizes(counts, first, first, 2, rounding_unit(state, board))
    pay(play, amounts)
    play.emit(
        happened.SharesScored(
            rule=rule,
            amounts=amounts,
            line=board.lines[line].id,
            towns=towns,
            counts=counts,
            final=final,
        )
    )


class FinalScoringRules(RocketRules[FinalScoring]):
    """Return tokens of unconnected metropolises, then score kinds, stations and shares [final-1 to final-5]."""

    def run(self, state: RocketState, step: FinalScoring, play: RocketPlay) -> None:
        board = self.boards.of(state)
        play.done()
        self._return_tokens(state, board, play)
        unit, money = rounding_unit(state, board), board.payments
        for kind, counts in kind_counts(state, board).items():
            amounts = prizes(counts, money.kind_first, money.kind_second, 1, unit)
            pay(play, amounts)
            play.emit(
                happened.KindScored(
                    rule="final-2", amounts=amounts, kind=kind, counts=tuple(counts)
                )
            )
        for line in living(state):
            score_stations(state, board, line, "", "final-3", play)
        for line in living(state):
            score_shares(state, board, line, "final-4", play, final=True)

    def _return_tokens(self, state: RocketState, board: Board, play: RocketPlay) -> None:
        connected = 0
        for line in living(state):
            connected |= state.connected[line]
        for number in board.metropolises:
            if connected >> number & 1:
                continue
            name = board.towns[number].name
            for seat in range(state.seats):
                count = state.ledger.held(token(name), SEATS[seat])
                if count:
                    state.ledger.move(token(name), SEATS[seat], "map", count)
                    play.emit(
                        happened.TokensReturned(
                            rule="final-1", seat=seat, metropolis=name, count=count
                        )
                    )
