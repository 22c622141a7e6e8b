"""When private railways are used up [3.1.3.1 to 3.1.3.4]. Their rights stand in `book`."""

from __future__ import annotations

from kursbuch.core.play import Play
from kursbuch.games.g18xx.g1835.book import SAXONY, Book1835
from kursbuch.games.g18xx.g1835.state import State1835


def close_spent(book: Book1835, play: Play[State1835]) -> None:
    """OB closes once both its hexes have a tile, whoever laid them [3.1.3.2b]."""
    state = play.state
    built = all(hex in state.layout.tiles for hex in book.named("OB"))
    if built and book.owner(state, "OB") is not None:
        book.close_privates(play, ("OB",), "3.1.3.2b")


def free_station_placed(book: Book1835, play: Play[State1835], private: str) -> None:
    """The free marker closes the railway [3.1.3.1, 3.1.3.3c]."""
    book.close_privates(play, (private,), "3.1.3.1" if private == "NF" else "3.1.3.3c")


def train_bought(book: Book1835, play: Play[State1835], company: str) -> None:
    """LD closes when Saxony buys its first train [3.1.3.4]."""
    if company == SAXONY and book.owner(play.state, "LD") is not None:
        book.close_privates(play, ("LD",), "3.1.3.4")
