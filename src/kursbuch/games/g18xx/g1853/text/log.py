"""What happens in 1853, in a line each."""

from __future__ import annotations

from collections import Counter
from functools import singledispatchmethod

import msgspec

from kursbuch.core.events import Event
from kursbuch.games.g18xx import events as shared
from kursbuch.games.g18xx.components import POOL
from kursbuch.games.g18xx.g1853 import events as happened
from kursbuch.games.g18xx.g1853.ruleset import Ruleset1853
from kursbuch.games.g18xx.g1853.text.names import Names1853
from kursbuch.games.g18xx.text.voice import Log


class Log1853(Names1853, Log[Ruleset1853]):
    """The log lines for one reader: those of 1853, and the others from the family."""

    @singledispatchmethod
    def describe(self, event: Event) -> str:
        """The log line of an event."""
        return super().describe(event)

    # ---- the contract bids

    @describe.register
    def _bond_written(self, event: happened.BondWritten) -> str:
        return self._("{name} has written a bond.", name=self.name(event.seat))

    @describe.register
    def _bond_noted(self, event: happened.BondNoted) -> str:
        return self._(
            "The bond of {name} is {amount}.",
            name=self.name(event.seat),
            amount=self.money(event.bond),
        )

    @describe.register
    def _bonds_shown(self, event: happened.BondsShown) -> str:
        order = [f"{self.name(seat)} {self.money(event.bonds[seat])}" for seat in event.seating]
        return self._(
            "The bonds are shown and set aside: {list}. All sit in this order; {name} gets the "
            "elephant.",
            list=", ".join(order),
            name=self.name(event.seating[0]),
        )

    @describe.register
    def _share_taken(self, event: happened.ShareTaken) -> str:
        return self._(
            "{name} writes a city and takes a share of {company} for it.",
            name=self.name(event.seat),
            company=event.company,
        )

    @describe.register
    def _city_noted(self, event: happened.CityNoted) -> str:
        return self._(
            "The city {name} has written for {company} is {city}.",
            name=self.name(event.seat),
            company=event.company,
            city=event.city,
        )

    @describe.register
    def _contract_complete(self, event: happened.ContractComplete) -> str:
        params = {"name": self.name(event.seat)}
        if event.passed:
            return self.ngettext(
                "{name} passes: the contract is complete with {n} city.",
                "{name} passes: the contract is complete with {n} cities.",
                event.cities,
                **params,
            )
        return self.ngettext(
            "The contract of {name} is complete with {n} city.",
            "The contract of {name} is complete with {n} cities.",
            event.cities,
            **params,
        )

    @describe.register
    def _shares_paid(self, event: happened.SharesPaid) -> str:
        line = self._(
            "{name} pays {amount} for the shares of the contract.",
            name=self.name(event.seat),
            amount=self.money(-event.amounts[event.seat]),
        )
        if not event.unredeemed:
            return line
        return self._(
            "{line} Not redeemed: {list}.",
            line=line,
            list=self.words.join(
                [self.shares_of(count, company) for company, count in event.unredeemed]
            ),
        )

    # ---- stock rounds

    @describe.register
    def _stock_round_began(self, event: shared.StockRoundBegan) -> str:
        return self._(
            "Stock round {number} begins; {name} has the elephant.",
            number=event.number,
            name=self.name(event.seat),
        )

    @describe.register
    def _stock_round_ended(self, event: shared.StockRoundEnded) -> str:
        return self._(
            "Stock round {number} is over; the elephant is with {name}.",
            number=event.number,
            name=self.name(event.seat),
        )

    @describe.register
    def _shares_redeemed(self, event: happened.SharesRedeemed) -> str:
        return self._(
            "{name} redeems {shares} for {price}.",
            name=self.name(event.seat),
            shares=self.shares_of(event.count, event.company),
            price=self.money(event.price),
        )

    @describe.register
    def _elephant_offered(self, event: happened.ElephantOffered) -> str:
        return self._(
            "{name} offers {other} the elephant for {price}.",
            name=self.name(event.seat),
            other=self.name(event.buyer),
            price=self.money(event.price),
        )

    @describe.register
    def _elephant_refused(self, event: happened.ElephantRefused) -> str:
        return self._("{name} does not want the elephant.", name=self.name(event.seat))

    @describe.register
    def _elephant_kept(self, event: happened.ElephantKept) -> str:
        return self._("{name} keeps the elephant.", name=self.name(event.seat))

    @describe.register
    def _elephant_sold(self, event: happened.ElephantSold) -> str:
        return self._(
            "{name} buys the elephant from {other} for {price}.",
            name=self.name(event.buyer),
            other=self.name(event.seat),
            price=self.money(event.price),
        )

    # ---- companies

    @describe.register
    def _founded(self, event: happened.Founded) -> str:
        return self._(
            "Enough shares of {company} are issued: it is founded and begins after this stock round.",
            company=self.full_company(event.company),
        )

    @describe.register
    def _form_fixed(self, event: happened.FormFixed) -> str:
        if event.large:
            return self._(
                "{company} is a large company: the contract of its director holds {list}.",
                company=event.company,
                list=self.words.join(event.shown),
            )
        return self._("{company} is a small company.", company=event.company)

    @describe.register
    def _trains_added(self, event: happened.TrainsAdded) -> str:
        return self._(
            "A small company has been founded: into play come {list}.",
            list=self.words.join(self.each_train(Counter(event.trains))),
        )

    @describe.register
    def _manager_found(self, event: shared.ManagerFound) -> str:
        return self._(
            "{company} has no director: {name} is its operating manager.",
            company=event.company,
            name=self.name(event.seat),
        )

    @describe.register
    def _director_lost(self, event: happened.DirectorLost) -> str:
        return self._(
            "{name} is no longer director of {company}: nobody has two of its shares.",
            name=self.name(event.old),
            company=event.company,
        )

    @describe.register
    def _right_taken(self, event: happened.RightTaken) -> str:
        if event.fee:
            return self._(
                "{company} may lay two tiles at once; every second one costs {fee}.",
                company=event.company,
                fee=self.money(self.components.second_tile_cost[event.company]),
            )
        return self._(
            "{company} waits for phase 3 to lay two tiles, and pays nothing for it then.",
            company=event.company,
        )

    @describe.register
    def _fee_paid(self, event: happened.FeePaid) -> str:
        return self._(
            "{company} pays {amount} for laying a second tile.",
            company=event.company,
            amount=self.money(event.amount),
        )

    @describe.register
    def _bonus_paid(self, event: happened.BonusPaid) -> str:
        return self._(
            "{company} gets a development bonus of {amount}.",
            company=event.company,
            amount=self.money(event.amount),
        )

    @describe.register
    def _withheld(self, event: shared.Withheld) -> str:
        if not event.revenue:
            return super().describe(event)
        return self._(
            "{company} withholds {revenue} for its treasury.",
            company=event.company,
            revenue=self.money(event.revenue),
        )

    # ---- trains

    @describe.register
    def _train_bought(self, event: shared.TrainBought) -> str:
        line = super().describe(msgspec.structs.replace(event, added=0))
        payer = next((seat for seat, amount in enumerate(event.amounts) if amount < 0), None)
        if payer is None:
            return line
        return self._(
            "{line} {name} adds {amount}.",
            line=line,
            name=self.name(payer),
            amount=self.money(event.added),
        )

    @describe.register
    def _train_on_credit(self, event: happened.TrainOnCredit) -> str:
        params = {
            "company": event.company,
            "train": self.train(event.train),
            "price": self.money(event.price),
        }
        if event.source == POOL:
            return self._(
                "{company} buys a {train} from the pool on credit and owes the bank {price}.",
                **params,
            )
        return self._("{company} buys a {train} on credit and owes the bank {price}.", **params)

    @describe.register
    def _credit_settled(self, event: happened.CreditSettled) -> str:
        line = self._(
            "{company} pays {price} for the {train} it had on credit.",
            company=event.company,
            price=self.money(event.price),
            train=self.train(event.train),
        )
        if not event.added or event.seat is None:
            return line
        return self._(
            "{line} {name} adds {amount}.",
            line=line,
            name=self.name(event.seat),
            amount=self.money(event.added),
        )

    @describe.register
    def _credit_returned(self, event: happened.CreditReturned) -> str:
        params = {
            "name": self.name(event.seat),
            "company": event.company,
            "train": self.train(event.train),
        }
        if event.forced:
            return self._(
                "{name} cannot pay for the {train} that {company} has on credit: it goes to the pool.",
                **params,
            )
        return self._(
            "{name} returns the {train} that {company} had on credit: it goes to the pool.",
            **params,
        )

    @describe.register
    def _loco_token_used(self, event: happened.LocoTokenUsed) -> str:
        return self._(
            "{company} gives up its loco token for the {train}.",
            company=event.company,
            train=self.train(event.train),
        )

    # ---- contracts

    @describe.register
    def _contract_shown(self, event: happened.ContractShown) -> str:
        params = {
            "name": self.name(event.seat),
            "list": self.words.join(event.cities),
            "bond": self.money(event.bond),
        }
        if event.legal:
            return self._(
                "The contract of {name} is connected: {list}. The bond of {bond} is paid back.",
                **params,
            )
        return self._(
            "{name} shows an illegal contract, which is connected: {list}. The bond of {bond} is paid "
            "back.",
            **params,
        )

    @describe.register
    def _pardon_decided(self, event: happened.PardonDecided) -> str:
        votes = {
            pardons: self.words.join(
                [self.name(seat) for seat, vote in event.votes if vote is pardons]
            )
            for pardons in (True, False)
        }
        params = {"name": self.name(event.seat)}
        if event.pardoned:
            line = self._("{name} is pardoned.", **params)
        else:
            line = self._(
                "{name} is not pardoned and has to give up every directorship in the next stock round.",
                **params,
            )
        if votes[True]:
            line = self._("{line} For it: {list}.", line=line, list=votes[True])
        if votes[False]:
            line = self._("{line} Against it: {list}.", line=line, list=votes[False])
        return line

    # ---- the end

    @describe.register
    def _round_ordered(self, event: happened.RoundOrdered) -> str:
        if event.orders:
            return self._("{name} orders one more operating round.", name=self.name(event.seat))
        return self._("{name} orders no further operating round.", name=self.name(event.seat))

    @describe.register
    def _bank_broken(self, event: shared.BankBroken) -> str:
        if event.in_stock_round:
            return self._("The bank has no money left; the game ends after this stock round.")
        return super().describe(event)

    @describe.register
    def _price_limit(self, event: happened.PriceLimit) -> str:
        return self._(
            "The price of {company} has reached {price}: the game is over at once.",
            company=event.company,
            price=self.money(max(self.ruleset.chart.price.values())),
        )
