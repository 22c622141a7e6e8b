"""Everybody in an 18xx game at a glance: a card for each player and each company."""

from __future__ import annotations

from kursbuch.core.voice import Chip, Row, Summary
from kursbuch.games.g18xx.pieces import BANK, PLAYERS, POOL
from kursbuch.games.g18xx.text.holdings import Holdings
from kursbuch.games.g18xx.text.names import NONE, AnyState, BookT


class Summaries(Holdings[BookT]):
    """What is compared all the time."""

    def summaries(self, state: AnyState) -> list[Summary]:
        """Players, companies in the order of play, and the bank with its pool."""
        return [
            *(self._player_summary(state, seat) for seat in range(state.seats)),
            *(self._company_summary(state, company) for company, _acted in self.order(state)),
            *self._waiting_summary(state),
            self._bank_summary(state),
        ]

    def _player_summary(self, state: AnyState, seat: int) -> Summary:
        _, book = self._, self.book
        holder = PLAYERS[seat]
        cash = self.money(book.cash(state, seat))
        due = book.noted(state, holder)
        limit = book.shares.certificate_limit(state, seat)
        figures = [
            Row(_("Cash"), cash, "", _("{amount} noted", amount=self.money(due)) if due else ""),
            Row(_("Certificates"), f"{book.shares.count_certificates(state, seat)}/{limit}"),
        ]
        chips = []
        for company in book.public:
            if book.percent(state, holder, company):
                cell = self.held_cell(state, seat, company)
                leads = book.control.leader(state, company) == seat
                text = f"{company} {cell.text}"
                chips.append(Chip(text, f"company:{company}", leads, cell.note))
        for paper in book.papers(state, seat):
            private = self.components.privates.get(paper)
            name = (private or self.components.minors[paper]).name
            chips.append(Chip(self.paper(paper), f"paper:{paper}", note=name))
        marks = " · ".join(self.seat_marks(state, seat))
        return Summary(
            self.words.name(seat), seat, figures=tuple(figures), chips=tuple(chips), note=marks
        )

    def _company_summary(self, state: AnyState, company: str) -> Summary:
        """Price, treasury, tokens and revenue as in the table of companies; trains as chips."""
        head, (name, price, treasury, trains, *rest) = (
            self.company_head(),
            self.company_row(state, company),
        )
        figures = [
            Row(label, cell.text, note=cell.note)
            for label, cell in zip(head[1:3] + head[4:], (price, treasury, *rest), strict=True)
            if cell.text
        ]
        owned = [Chip(train, f"train:{train}") for train in self.book.trains(state, company)]
        return Summary(
            name.text,
            key=name.key,
            figures=tuple(figures),
            chips=tuple(owned) or (Chip(self._("no train"), note=trains.note),),
            note=name.note,
            active=self._acts(state, company),
            held=head[3] if owned else "",
        )

    def _acts(self, state: AnyState, company: str) -> bool:
        return any(getattr(step, "company", None) == company for step in state.agenda)

    def _waiting_summary(self, state: AnyState) -> list[Summary]:
        """The companies that do not operate yet."""
        working = {company for company, _acted in self.order(state)}
        chips = tuple(
            Chip(company, f"company:{company}", note=self.price_note(state, company))
            for company in self.book.public
            if company not in working
        )
        return [Summary(self._("Not in operation yet"), chips=chips)] if chips else []

    def _bank_summary(self, state: AnyState) -> Summary:
        """What is left in the bank, what lies in the pool, and the trains that can be bought."""
        book = self.book
        pool = [
            Chip(f"{company} {book.percent(state, POOL, company)}", f"company:{company}")
            for company in book.public
            if book.percent(state, POOL, company)
        ]
        trains = [Chip(self.train(train), f"train:{train}") for train in book.trains(state, POOL)]
        offered = self.words.join([self.new_train(state, train) for train in book.depot.new(state)])
        return Summary(
            self._("Bank and pool"),
            figures=(
                Row(self._("Bank"), self.money(book.money(state, BANK))),
                Row(self._("Next train"), offered or NONE),
            ),
            chips=(*pool, *trains),
        )
