"""Ruleset of 1835: its policy, and the parts that differ from the family's."""

from __future__ import annotations

from collections.abc import Mapping
from operator import itemgetter
from typing import ClassVar

from kursbuch.core.errors import IllegalAction, Players
from kursbuch.core.words import N_
from kursbuch.games.g18xx.components import PACKET, PERCENT, STACK
from kursbuch.games.g18xx.g1835.components import Components1835, Paper
from kursbuch.games.g18xx.g1835.state import State1835
from kursbuch.games.g18xx.lookup import Policy
from kursbuch.games.g18xx.rules.builder import Builder, StationRight, TileRight
from kursbuch.games.g18xx.rules.depot import Depot
from kursbuch.games.g18xx.rules.director import Control
from kursbuch.games.g18xx.rules.float import Float
from kursbuch.games.g18xx.rules.shares import Shares
from kursbuch.games.g18xx.rules.stock_market import StockMarket
from kursbuch.games.g18xx.ruleset import Ruleset
from kursbuch.games.g18xx.state import Build, BuyTrains, EndTurn, PlaceToken, Run

PRUSSIA, BAVARIA, SAXONY = "PR", "BY", "SX"

#: Company with its home on the hex of PF.
BADEN = "BA"

#: Minor that opens Prussia.
OPENER = "2"
POLICY = Policy(
    currency="M",
    minor_label=N_("Minor {id}"),
    minor_noun=N_("Minor"),
    turn=(Build, PlaceToken, Run, BuyTrains),  # 5.4
    minor_turn=(Build, Run, BuyTrains),  # 3.2.2b
    order="price",  # 5.3.4
    float_percent=50,  # 2.7.1
    capital="sold",  # 2.7.5
    later_shares="company",  # 2.6.2.1b
    ties="left",  # 3.3.6
    pool_limit=50,  # 2.6.3.2
    room_from=80,  # 2.6.2.6c
    nationalise_from=55,  # 2.6.2.4
    sale_lowers_price=True,  # 2.6.3.3
    sold_out_raises_price=True,  # 2.6.3.4
    pool_earns="company",  # 5.5.3.11.7
    train_duty=True,  # 5.5.4.4
    least_price=1,  # 5.5.4.3
)


class Ruleset1835(Ruleset[State1835]):
    """Ruleset of 1835."""

    components: Components1835

    def __init__(self, components: Components1835) -> None:
        super().__init__(
            components,
            POLICY,
            market=StockMarket1835,
            control=Control1835,
            builder=Builder1835,
            float=Float1835,
            shares=Shares1835,
            depot=Depot1835,
        )
        self._named = {
            private: [
                record.id for record in components.board.records if private in record.privates
            ]
            for private in components.privates
        }
        self._packet = itemgetter(*[paper.item for paper in components.packet.values()])
        numbers = sorted({public.record.group for public in self.public.values()})
        #: Groups in which new shares are released; Prussia has its own rule [1.2.3].
        self.groups = tuple(
            tuple(
                public.id
                for public in self.public.values()
                if public.record.group == number and public.id != PRUSSIA
            )
            for number in numbers
        )
        prussia = self.public[PRUSSIA]
        #: Company whose first sale releases Prussia's shares [1.2.6].
        self.releasing_company = self.groups[numbers.index(prussia.record.group)][0]
        #: Share each paper is exchanged for [3.1.3.5, 3.2.1].
        self.exchanges = prussia.given

    def in_packet(self, state: State1835, paper: Paper) -> bool:
        """Whether a paper of the start packet is unsold."""
        return PACKET in state.ledger.items[paper.item]

    def packet_left(self, state: State1835) -> bool:
        """Whether any paper of the start packet is unsold."""
        return any(PACKET in row for row in self._packet(state.ledger.items))

    def named(self, private: str) -> list[str]:
        """Hexes that carry the name of a private."""
        return self._named.get(private, [])

    def refused(self, state: State1835, seat: int) -> int:
        """Percentage of Prussia that pays a player no dividend in this operating round: shares
        exchanged for papers that had earned in it [4.5]. If the table has agreed so, shares such
        papers could still be exchanged for also count in the round of the opening."""
        percent = state.refused.get(seat, 0)
        if state.opened and state.house.refused_beforehand:
            percent += sum(
                PERCENT[self.exchanges[paper]]
                for paper in self.exchangeable(state, seat)
                if has_earned(state, paper)
            )
        return percent

    def exchangeable(self, state: State1835, seat: int) -> list[str]:
        """A player's papers that can be exchanged for Prussian shares [3.1.3.5, 3.2.1]."""
        return [paper for paper in self.privates_and_minors(state, seat) if paper in self.exchanges]


def has_acted(state: State1835, company: str) -> bool:
    """Whether a company has had, or is having, its turn in this operating round."""
    return state.round.part > 0 and (
        company in state.round.acted
        or any(isinstance(step, EndTurn) and step.company == company for step in state.agenda)
    )


def has_earned(state: State1835, paper: str) -> bool:
    """Whether a private has paid or a minor has acted in this operating round."""
    return paper in state.round.paid or has_acted(state, paper)


class StockMarket1835(StockMarket[State1835]):
    """Income of privates, and dividends on Prussian shares."""

    lookup: Ruleset1835

    def income(self, state: State1835, private: str) -> int:
        """Income of a private per operating round [3.1.2b, 7.1]."""
        if private == "LD" and state.house.ld_pays_30:
            return 30
        return super().income(state, private)

    def dividend_percent(self, state: State1835, company: str, seat: int) -> int:
        """Shares exchanged in this round for papers that have earned in it pay nothing [4.5]."""
        percent = super().dividend_percent(state, company, seat)
        if company == PRUSSIA:
            percent = max(0, percent - self.lookup.refused(state, seat))
        return percent


class Control1835(Control[State1835]):
    """Minors may have to wait."""

    lookup: Ruleset1835

    def acts(self, state: State1835, company: str) -> bool:
        """Minors may have to wait for the start packet or for Bavaria [7.3]."""
        if self.lookup.is_minor(company):
            if state.house.minors_wait and self.lookup.packet_left(state):
                return False
            waits = state.house.minors_need_bavaria or state.house.packet == "clemens"
            if waits and not state.companies[BAVARIA].operating:
                return False
        return super().acts(state, company)


class Builder1835(Builder[State1835]):
    """Rights of the privates [3.1.3.1 to 3.1.3.3c]."""

    lookup: Ruleset1835
    tile_right_rules: ClassVar[Mapping[str, str]] = {"OB": "3.1.3.2", "PF": "3.1.3.3"}
    station_right_rules: ClassVar[Mapping[str, str]] = {"NF": "3.1.3.1", "PF": "3.1.3.3b"}

    def reserves(self, state: State1835, company: str) -> bool:
        """Prussia takes over the minors' slots; none is reserved for it [5.5.2.8]."""
        return company != PRUSSIA and super().reserves(state, company)

    def _belongs_to_director(self, state: State1835, private: str, company: str) -> bool:
        """Whether the owner of a private directs a share company."""
        owner = self.lookup.owner(state, private)
        return (
            owner is not None
            and not self.lookup.is_minor(company)
            and self.control.decider(state, company) == owner
        )

    def tile_rights(self, state: State1835, company: str) -> list[TileRight]:
        """OB: one tile per operating round on an empty one of its hexes; PF: the first tile on its
        hex [3.1.3.2, 3.1.3.2b, 3.1.3.3]."""
        return [
            TileRight(private, hex)
            for private in ("OB", "PF")
            if self._belongs_to_director(state, private, company)
            and not (private == "OB" and state.ob_used)
            for hex in self.lookup.named(private)
            if hex not in state.layout.tiles
        ]

    def no_tile_right(
        self, state: State1835, company: str, private: str, hex: str
    ) -> IllegalAction:
        rule = self.tile_right_rules.get(private)
        if rule is None:
            return IllegalAction("3.1.3.2", "Only OB and PF grant a free tile.")
        problem = self._no_owner(state, company, private, hex, rule)
        if problem is not None:
            return problem
        if hex in state.layout.tiles:
            return IllegalAction(
                rule,
                ("{private} allows only the first tile on {hex}, and there already is one."),
                private=private,
                hex=hex,
            )
        return IllegalAction(
            rule,
            "{private} has already been used for a tile in this operating round.",
            private=private,
        )

    def no_station_right(
        self, state: State1835, company: str, private: str, hex: str, stop: int
    ) -> IllegalAction:
        rule, label = self.station_right_rules.get(private), self.lookup.label(company)
        if rule is None:
            return IllegalAction("3.1.3.1", "Only NF and PF grant a free station token.")
        problem = self._no_owner(state, company, private, hex, rule)
        if problem is not None:
            return problem
        if not self.lookup.tokens(state, company):
            return IllegalAction(rule, "{company} has no station token left.", company=label)
        if not self.spare_tokens(state, company):
            return IllegalAction(
                rule,
                "The last station token of {company} is kept for its home.",
                company=label,
            )
        if private == "PF" and self.lookup.station(state, BADEN, hex) is None:
            return IllegalAction(
                rule,
                "{private} can be used for a token only when {other} has its home on {hex}.",
                private=private,
                other=BADEN,
                hex=hex,
            )
        problem = self.place_problem(state, company, hex, stop)
        if problem is None:
            return super().no_station_right(state, company, private, hex, stop)
        problem.rule = rule
        return problem

    def _no_owner(
        self, state: State1835, company: str, private: str, hex: str, rule: str
    ) -> IllegalAction | None:
        """Refusal if a private cannot be used for this company on this hex."""
        hexes = self.lookup.named(private)
        if hex not in hexes:
            return IllegalAction(
                rule,
                "{private} can be used only on {hexes}, not on {hex}.",
                private=private,
                hexes=", ".join(hexes),
                hex=hex,
            )
        if self.lookup.is_minor(company):
            return IllegalAction(
                rule,
                "Only a share company can use {private}, through its director.",
                private=private,
            )
        owner = self.lookup.owner(state, private)
        if owner is None:
            return IllegalAction(rule, "No player owns {private}.", private=private)
        if self.control.decider(state, company) != owner:
            return IllegalAction(
                rule,
                "{private} belongs to {player}, who is not the director of {company}.",
                private=private,
                player=Players((owner,)),
                company=company,
            )
        return None

    def station_rights(self, state: State1835, company: str) -> list[StationRight]:
        """NF: a token in a city of its hex; PF: one on its hex, once Baden has its home there
        [3.1.3.1, 3.1.3.3b]."""
        found: list[StationRight] = []
        for private in ("NF", "PF"):
            if not self._belongs_to_director(state, private, company):
                continue
            if not self.spare_tokens(state, company):
                break
            for hex in self.lookup.named(private):
                if self.lookup.station(state, company, hex) is not None:
                    continue
                if private == "PF" and self.lookup.station(state, BADEN, hex) is None:
                    continue
                board = self.lookup.components.board
                stops = self.lookup.position(state).grounds[board.number(hex)].face.stops
                found += [
                    StationRight(private, hex, stop)
                    for stop in range(len(stops))
                    if self.vacant(state, hex, stop)
                ]
        return found


class Float1835(Float[State1835]):
    """Prussia opens by its own rules."""

    def needed(self, state: State1835, company: str) -> int:
        """Prussia opens by its own rules [2.7.1, 4-intro]."""
        return 0 if company == PRUSSIA else super().needed(state, company)


class Shares1835(Shares[State1835]):
    """Shares released in groups."""

    lookup: Ruleset1835

    def offered(self, state: State1835) -> list[tuple[str, str]]:
        """New shares on offer: none before the start packet is sold; then group by group, and in a
        group a company once half of the one before is sold [1.2.1 to 1.2.6]."""
        found: list[tuple[str, str]] = []
        if self.lookup.packet_left(state):
            return found
        for companies in self.lookup.groups:
            sold_out = True
            for company in companies:
                top = self.top(state, company)
                if top:
                    sold_out = False
                    found.append((company, top))
                if 100 - self.lookup.unsold(state, company) < 50:
                    sold_out = False
                    break
            if self.lookup.releasing_company in companies and self._prussia_released(state):
                top = self.top(state, PRUSSIA)
                if top:
                    found.append((PRUSSIA, top))
                    sold_out = sold_out and state.house.group3_without_prussia
            if not sold_out:
                break
        return found

    def _prussia_released(self, state: State1835) -> bool:
        return (
            STACK
            not in state.ledger.items[self.lookup.public[self.lookup.releasing_company].items[0][0]]
        )

    def not_offered(self, state: State1835, company: str, certificate: str) -> IllegalAction:
        offered = self.offered(state)
        if not self.top(state, company) or any(name == company for name, _ in offered):
            return super().not_offered(state, company, certificate)
        if self.lookup.packet_left(state):
            return IllegalAction(
                "1.2.1", ("New shares go on sale only when the whole start packet has been sold.")
            )
        if company == PRUSSIA:
            return IllegalAction(
                "1.2.6",
                "Shares of {company} are on offer only when the director's certificate of {other} "
                "has been sold.",
                company=company,
                other=self.lookup.releasing_company,
            )
        group = next(companies for companies in self.lookup.groups if company in companies)
        before = [
            name
            for names in self.lookup.groups[: self.lookup.groups.index(group)]
            for name in names
        ]
        if self.lookup.releasing_company in before and not state.house.group3_without_prussia:
            before.append(PRUSSIA)
        for name in before:
            if self.top(state, name):
                return IllegalAction(
                    "1.2.3",
                    "Shares of {company} are on offer only when all new shares of {other} have been "
                    "sold.",
                    company=company,
                    other=name,
                )
        return IllegalAction(
            "1.2.4",
            "Shares of {company} are on offer only when half of {other} has been sold.",
            company=company,
            other=group[group.index(company) - 1],
        )

    def selling_problem(self, state: State1835, seat: int, company: str) -> IllegalAction | None:
        """Prussian shares can be sold as soon as Prussia is open [2.6.3.2c]."""
        if company == PRUSSIA and state.companies[company].operating:
            return None
        return super().selling_problem(state, seat, company)


class Depot1835(Depot[State1835]):
    """Train limit and idle trains of Prussia."""

    lookup: Ruleset1835

    def limit_in(self, row: int, company: str) -> int:
        limit = self.lookup.components.file.phases[row].train_limit
        if company == PRUSSIA and limit.prussia is not None:
            return limit.prussia
        return super().limit_in(row, company)

    def running_trains(self, state: State1835, company: str) -> list[str]:
        """Trains that have run for a minor in this round do not run again for Prussia [4.5]."""
        trains = super().running_trains(state, company)
        if company == PRUSSIA:
            for train in state.idle:
                if train in trains:
                    trains.remove(train)
        return trains

    def give_train(self, state: State1835, company: str, train: str) -> bool:
        if company == PRUSSIA and train in state.idle:
            state.idle.remove(train)
            return True
        return super().give_train(state, company, train)
