"""Placing station tokens, the second step of a company's turn [station-space]; and the choice of a
home."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from kursbuch.core.actions import Action, Choice
from kursbuch.core.errors import IllegalAction, first_refusal
from kursbuch.core.play import Play
from kursbuch.core.words import N_
from kursbuch.games.g18xx import events as happened
from kursbuch.games.g18xx.actions import ChooseHome, Done, PlaceStation
from kursbuch.games.g18xx.components import BANK
from kursbuch.games.g18xx.map.networks import PER_HEX
from kursbuch.games.g18xx.map.tiles import shown
from kursbuch.games.g18xx.ruleset import AnyRuleset, EighteenRules, Steps
from kursbuch.games.g18xx.state import AnyState, Home, PlaceToken


def hex_of(key: str) -> str:
    """Hex of a map key, empty for other keys."""
    kind, _, name = key.partition(":")
    return name.partition("/")[0] if kind in ("hex", "stop") else ""


def small_number(text: str) -> int:
    """Small number at the end of a key, 0 if there is none."""
    return int(text) if text.isdecimal() and len(text) < 3 else 0


def free_tokens(
    ruleset: AnyRuleset, state: AnyState, company: str, seat: int
) -> Iterator[PlaceStation]:
    """Tokens that privates allow a company to place now."""
    for right in ruleset.builder.station_rights(state, company):
        yield PlaceStation(seat, right.hex, right.stop, right.private)


def free_token_problem(
    ruleset: AnyRuleset, state: AnyState, company: str, action: PlaceStation
) -> IllegalAction | None:
    """Refusal if no private gives the right to place this token."""
    if action.hex not in ruleset.components.board.index:
        return IllegalAction("", "There is no hex {hex} on the map.", hex=action.hex)
    if action in free_tokens(ruleset, state, company, action.seat):
        return None
    return ruleset.builder.no_station_right(state, company, action.private, action.hex, action.stop)


def too_early(ruleset: AnyRuleset, company: str) -> IllegalAction:
    """Refusal of a token during the track step [turn-order]."""
    turn = ruleset.policy.minor_turn if ruleset.is_minor(company) else ruleset.policy.turn
    if PlaceToken not in turn:
        return IllegalAction(
            "station-markers",
            "{company} places no station token besides its home token.",
            company=ruleset.label(company),
        )
    return IllegalAction(
        "turn-order", "A station token is placed after the track has been laid: finish that first."
    )


def use_right(
    ruleset: AnyRuleset, play: Play[AnyState], company: str, action: PlaceStation
) -> None:
    """Place a token by the right of a private."""
    ruleset.place_token(play, company, action.hex, action.stop)
    play.emit(
        happened.StationPlaced(
            rule=ruleset.builder.station_right_rules[action.private],
            company=company,
            hex=action.hex,
            stop=action.stop,
            private=action.private,
        )
    )
    ruleset.triggers.free_station_placed(play, action.private)


class PlaceRules(EighteenRules[AnyState, PlaceToken]):
    """A share company may place one token [station-markers, one-station]."""

    refusal = ("station-markers", N_("Now the company may place a station token."))
    turn_rule = "operating-order"

    def deciders(self, state: AnyState, step: PlaceToken) -> tuple[int, ...]:
        return (self.ruleset.control.decider(state, step.company),) if step.asked else ()

    def run(self, state: AnyState, step: PlaceToken, play: Play[AnyState]) -> None:
        possible = self.options(state, step, self.ruleset.control.decider(state, step.company))
        if next(possible, None) is None:
            play.done()
        else:
            step.asked = True

    def choices(self, state: AnyState, step: PlaceToken, seat: int) -> list[Choice]:
        found = [Choice(action) for action in self.options(state, step, seat)]
        return [*found, Choice(Done(seat))]

    def options(self, state: AnyState, step: PlaceToken, seat: int) -> Iterator[PlaceStation]:
        """All actions except passing."""
        ruleset, company = self.ruleset, step.company
        yield from free_tokens(ruleset, state, company, seat)
        if step.placed or not ruleset.builder.spare_tokens(state, company):
            return
        purse = ruleset.purse(state, company)
        for hex, stop in ruleset.builder.open_slots(state, company):
            if ruleset.builder.station_cost(state, company, hex) <= purse:
                yield PlaceStation(seat, hex, stop)

    def attempts(
        self, state: AnyState, step: PlaceToken, seat: int, keys: Sequence[str]
    ) -> Iterable[Action]:
        board, hex = self.ruleset.components.board, hex_of(keys[-1])
        if hex not in board.index:
            return
        stop = keys[-1].partition("/")[2]
        stops = len(shown(board, state.layout.tiles, hex).stops)
        for number in [small_number(stop)] if stop else range(max(1, stops)):
            yield PlaceStation(seat, hex, number)

    def problem(self, state: AnyState, step: PlaceToken, action: Action) -> IllegalAction | None:
        match action:
            case Done():
                return None
            case PlaceStation(private=private) if private:
                return free_token_problem(self.ruleset, state, step.company, action)
            case PlaceStation():
                return first_refusal(self._token_checks(state, step, action))
        return super().problem(state, step, action)

    def _token_checks(
        self, state: AnyState, step: PlaceToken, action: PlaceStation
    ) -> Iterator[IllegalAction | None]:
        """Check the turn, the hex and the money before the city."""
        ruleset, company, hex, stop = self.ruleset, step.company, action.hex, action.stop
        builder = ruleset.builder
        if hex not in ruleset.components.board.index:
            yield IllegalAction("", "There is no hex {hex} on the map.", hex=hex)
        yield self._no_more(state, step)
        yield builder.city_problem(state, company, hex)
        yield self._unreached(state, company, hex)
        yield self._too_dear(state, company, hex)
        yield builder.stop_problem(state, hex, stop)
        yield self._unreached_stop(state, company, hex, stop)
        yield builder.slot_problem(state, hex, stop)
        yield self._kept(state, hex, stop)
        problem = builder.station_problem(state, company, hex, stop)
        yield None if problem is None else problem.without("stop")

    def _reached_stops(self, state: AnyState, company: str, hex: str) -> list[int]:
        """Stops of a hex that a route of the company reaches."""
        place, position = self.ruleset.components.board.number(hex), self.ruleset.position(state)
        stops = range(len(position.grounds[place].face.stops))
        if state.house.free_track:
            return list(stops)
        reached = position.reach(company).stops
        return [stop for stop in stops if place * PER_HEX + stop in reached]

    def _unreached(self, state: AnyState, company: str, hex: str) -> IllegalAction | None:
        """Refusal of a hex in which the company reaches no city."""
        if self._reached_stops(state, company, hex):
            return None
        return IllegalAction(
            "station-connection",
            "No route leads from a station of {company} to {hex}.",
            company=self.ruleset.label(company),
            hex=hex,
        )

    def _unreached_stop(
        self, state: AnyState, company: str, hex: str, stop: int
    ) -> IllegalAction | None:
        """Refusal of a city that the company does not reach."""
        if stop in self._reached_stops(state, company, hex):
            return None
        params = {"company": self.ruleset.label(company), "hex": hex}
        refusal = IllegalAction(
            "station-connection",
            "No route leads from a station of {company} to this city of {hex}.",
            **params,
        )
        return refusal.without(
            "stop", "No route leads from a station of {company} to a city of {hex}.", **params
        )

    def _kept(self, state: AnyState, hex: str, stop: int) -> IllegalAction | None:
        """Refusal of a city reserved for another company's home."""
        rule = self.ruleset.builder.reserved(state, hex, stop)
        if not rule:
            return None
        refusal = IllegalAction(
            rule, "The free place in {hex} is kept for the home of another company.", hex=hex
        )
        return refusal.without("stop")

    def _no_more(self, state: AnyState, step: PlaceToken) -> IllegalAction | None:
        """Refusal if the company can place no token anywhere."""
        ruleset, company = self.ruleset, step.company
        label = ruleset.label(company)
        if step.placed:
            return IllegalAction(
                "one-station",
                "{company} has already placed a station token in this round.",
                company=label,
            )
        if not ruleset.tokens(state, company):
            return IllegalAction(
                "station-markers", "{company} has no station token left.", company=label
            )
        if not ruleset.builder.spare_tokens(state, company):
            return IllegalAction(
                "chosen-home",
                "The last station token of {company} is kept for its home.",
                company=label,
            )
        return None

    def _too_dear(self, state: AnyState, company: str, hex: str) -> IllegalAction | None:
        """Refusal if the company cannot pay for a token on this hex."""
        ruleset = self.ruleset
        cost, purse = (
            ruleset.builder.station_cost(state, company, hex),
            ruleset.purse(state, company),
        )
        if cost <= purse:
            return None
        return ruleset.spending_problem(state, company) or IllegalAction(
            "station-cost",
            "A station token in {hex} costs {cost}; {company} has {money}.",
            hex=hex,
            cost=ruleset.written(cost),
            company=ruleset.label(company),
            money=ruleset.written(purse),
        )

    def perform(
        self, state: AnyState, step: PlaceToken, action: Action, play: Play[AnyState]
    ) -> None:
        if isinstance(action, Done):
            play.done()
            return
        assert isinstance(action, PlaceStation)
        step.asked = False
        if action.private:
            use_right(self.ruleset, play, step.company, action)
            return
        step.placed = True
        price = self.ruleset.builder.station_cost(state, step.company, action.hex)
        state.ledger.move("money", step.company, BANK, price)
        self.ruleset.place_token(play, step.company, action.hex, action.stop)
        play.emit(
            happened.StationPlaced(
                rule="station-space",
                company=step.company,
                hex=action.hex,
                stop=action.stop,
                cost=price,
            )
        )
        self.ruleset.triggers.station_placed(play, step.company, action.hex, action.stop)


class HomeRules(EighteenRules[AnyState, Home]):
    """A company chooses the city of its home [home-station, chosen-home]."""

    refusal = ("home-station", N_("The company must first choose its home city."))
    turn_rule = "home-station"

    def free(self, state: AnyState, step: Home) -> list[int]:
        """Stops it may choose; none without a token, which only a correction can have removed."""
        position = self.ruleset.position(state)
        stops = position.grounds[self.ruleset.components.board.number(step.hex)].face.stops
        able = self.ruleset.builder.home_is_free
        return [n for n in range(len(stops)) if able(state, step.company, step.hex, n)]

    def deciders(self, state: AnyState, step: Home) -> tuple[int, ...]:
        if len(self.free(state, step)) < 2:
            return ()
        return (self.ruleset.control.decider(state, step.company),)

    def choices(self, state: AnyState, step: Home, seat: int) -> list[Choice]:
        return [Choice(ChooseHome(seat, step.company, stop)) for stop in self.free(state, step)]

    def problem(self, state: AnyState, step: Home, action: Action) -> IllegalAction | None:
        if not isinstance(action, ChooseHome) or action.company != step.company:
            return super().problem(state, step, action)
        if action.stop in self.free(state, step):
            return None
        return IllegalAction("chosen-home", "The company cannot have its home in this city.")

    def perform(self, state: AnyState, step: Home, action: Action, play: Play[AnyState]) -> None:
        assert isinstance(action, ChooseHome)
        play.done()
        self.settle(play, step, action.stop)

    def run(self, state: AnyState, step: Home, play: Play[AnyState]) -> None:
        play.done()
        for stop in self.free(state, step):
            self.settle(play, step, stop)

    def settle(self, play: Play[AnyState], step: Home, stop: int) -> None:
        """Place the home token."""
        self.ruleset.place_token(play, step.company, step.hex, stop)
        play.emit(
            happened.StationPlaced(
                rule="chosen-home", company=step.company, hex=step.hex, stop=stop
            )
        )


STEPS: Steps = {PlaceToken: PlaceRules, Home: HomeRules}
