"""The middle of the table: the round, the auction, the cards on offer and those who bid."""

from __future__ import annotations

from collections.abc import Iterable

from kursbuch.core.state import Step
from kursbuch.games.nimm.components import AUCTION_NAMES
from kursbuch.games.nimm.drawing import looks
from kursbuch.games.nimm.drawing.cards import (
    HEIGHT,
    LOCO_WIDTH,
    WAGON_WIDTH,
    face_down,
    loco_card,
    open_card,
)
from kursbuch.games.nimm.drawing.looks import BOLD, NOTE
from kursbuch.games.nimm.drawing.page import MARGIN, NARROW, WIDTH, Page, left, right, sign
from kursbuch.games.nimm.holdings import locos_at, needy
from kursbuch.games.nimm.state import (
    ChoiceBids,
    Draft,
    FirstBid,
    OpenAuction,
    SecretBids,
    Tie,
    TurnAuction,
    hand,
    open_bids,
)
from kursbuch.games.nimm.trains import limit
from kursbuch.hexmap import svg, text_width

#: How much larger cards are drawn than their own sizes.
CARD = 1.4
SMALL_CARD = 1.12
ABOVE = 68
BIDDERS = 300.0


def heading(page: Page) -> Iterable[str]:
    """Round, type of auction, and what the auction or the round has come to."""
    state, words = page.state, page.words
    number = words._("Round {number} of {last}", number=state.round, last=page.cards.setup.rounds)
    auction = words._(AUCTION_NAMES[state.auction]) if state.auction else ""
    line = words._("{round} · auction: {auction}", round=number, auction=auction)
    yield left(MARGIN, 28, line, font_size=19, **NOTE, **BOLD)
    second, look = _bidding(page), NOTE
    if state.order:
        last = limit(state, page.cards)
        second = words._("The round ends with wagon number {number}.", number=last)
    if state.longer:
        second, look = f"{words._('Longer train')}: {second}", looks.SPECIAL_NOTE
    yield left(MARGIN, 50, second, font_size=15, **look)


def middle(page: Page) -> tuple[list[str], float]:
    """The locomotives at auction with those who bid, or the open cards of the wagon deck; and how far
    down they reach where the page is narrow."""
    shown, owners, wide = _shown(page)
    bidders = _bidders(page)
    # Many cards overlap; where the page is narrow, they lie in several rows.
    room = WIDTH - 2 * MARGIN - 60 - (BIDDERS if bidders else 0)
    apart = min((wide + 8) * CARD, (room - wide * CARD) / max(1, len(shown) - 1))
    columns = max(1, int((NARROW - 2 * MARGIN + 8) / ((wide + 6) * SMALL_CARD)))
    line = HEIGHT * SMALL_CARD + (26 if owners else 8)
    parts = []
    for place, card in enumerate(shown):
        row, column = divmod(place, columns)
        x, y = MARGIN + column * (wide + 6) * SMALL_CARD, ABOVE + row * line
        label = []
        if place in owners:
            label.append(left(0, HEIGHT + 14, owners[place], font_size=11.5, **NOTE))
        parts.append(
            svg.group(
                [card, *label],
                transform=_placed(MARGIN + place * apart, ABOVE, CARD),
                data_narrow=_placed(x, y, SMALL_CARD),
            )
        )
    bottom = ABOVE + -(-len(shown) // columns) * line
    # The players stay where they are as long as the cards have room in two rows.
    usual = ABOVE + 2 * (HEIGHT * SMALL_CARD + 8)
    if bidders:
        # Beside a single card, else below the cards.
        there = (MARGIN + (wide + 24) * SMALL_CARD, float(ABOVE))
        if len(shown) > 1:
            there = (MARGIN + 4, bottom + 8)
            bottom += 16 + len(bidders) * _step_of(bidders)
        x = MARGIN + max(0, len(shown) - 1) * apart + wide * CARD + 24
        parts.append(
            svg.group(
                _bidder_list(page, bidders),
                transform=_placed(x, ABOVE, 1.0),
                data_narrow=_placed(*there, 1.0),
            )
        )
    return parts, max(bottom, usual) + 12


def _placed(x: float, y: float, scale: float) -> str:
    return f"translate({svg.number(x)} {svg.number(y)}) scale({scale:.3f})"


def _shown(page: Page) -> tuple[list[str], dict[int, str], float]:
    """The cards in the middle, whose hands begin at which of them, and how wide they are."""
    state = page.state
    step = _step(page)
    if isinstance(step, ChoiceBids):
        return [face_down(page)] * state.seats, {}, LOCO_WIDTH
    shown = [loco_card(page, loco) for loco in state.offer]
    owners: dict[int, str] = {}
    if isinstance(step, Draft):
        for seat in range(state.seats):
            held = locos_at(state, page.cards, hand(seat))
            if held:
                owners[len(shown)] = page.words.name(seat)
            shown += [loco_card(page, loco) for loco in held]
    if shown:
        return shown, owners, LOCO_WIDTH
    return [open_card(page, card) for card in state.display], {}, WAGON_WIDTH


def _step(page: Page) -> Step | None:
    return page.state.agenda[-1] if page.state.agenda else None


def _bidding(page: Page) -> str:
    """The highest bid, or the equal ones."""
    words, money = page.words, page.names.money
    match _step(page):
        case TurnAuction(bidder=seat, bid=bid) | OpenAuction(bidder=seat, bid=bid):
            name = words.name(seat)
            return words._("Highest bid: {name} {amount}", name=name, amount=money(bid))
        case SecretBids(answers=answers):
            return words._("secret bids so far: {count}", count=len(answers))
        case Tie(tied=tied, bid=bid):
            names = words.join([words.name(seat) for seat in tied])
            return words._("Equal bids of {amount}: {list}", amount=money(bid), list=names)
    return ""


def _bidders(page: Page) -> list[tuple[int, str]]:
    """Who takes part in the auction, and what he has said so far."""
    state, words, money = page.state, page.words, page.names.money
    waiting = "…"
    found: dict[int, str] = {}
    match _step(page):
        case FirstBid(seat=starter):
            found = dict.fromkeys(needy(state, page.cards), "")
            found[starter] = waiting
        case TurnAuction() as step:
            for seat in needy(state, page.cards):
                found[seat] = "" if seat in step.active else words._("passed")
            found[step.seat] = waiting
            found[step.bidder] = money(step.bid)
        case OpenAuction() as step:
            for seat in step.others:
                found[seat] = waiting if seat in step.waiting else words._("lets it stand")
            found[step.bidder] = money(step.bid)
        case SecretBids() as step:
            for seat in step.seats:
                found[seat] = words._("has bid") if seat in step.answers else waiting
            for seat, bid in open_bids(step).items():
                found[seat] = " + ".join(x for x in (money(bid), found.get(seat, "")) if x)
        case Tie() as step:
            found = dict.fromkeys(step.tied, money(step.bid))
    return sorted(found.items())


def _step_of(bidders: list[tuple[int, str]]) -> float:
    """How far the lines of those who bid are apart."""
    return 146 / max(5, len(bidders))


def _bidder_list(page: Page, bidders: list[tuple[int, str]]) -> Iterable[str]:
    """One line for everybody who takes part."""
    step = _step_of(bidders)
    for line, (seat, text) in enumerate(bidders):
        y = 11 + line * step
        yield sign(10, y, seat, 10.5)
        free = BIDDERS - 34 - 28 - 8 - text_width.width(text, 14) * text_width.BOLD
        name = text_width.shortened(page.words.name(seat), 14, free)
        yield left(28, y + 5, name, font_size=14, **NOTE)
        yield right(BIDDERS - 34, y + 5, text, font_size=14, **NOTE, **BOLD)
