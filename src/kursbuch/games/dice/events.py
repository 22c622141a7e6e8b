"""What happens in Railroad Dice. Companies and tiles are named by their ids, squares by name."""

from __future__ import annotations

from kursbuch.core.events import Event, Payment


class StartPlayerDrawn(Event, frozen=True, tag="start-player", kw_only=True):
    """The start player was drawn by lot."""

    seat: int


class IncomeTaken(Event, frozen=True, tag="income-taken", kw_only=True):
    """A player took his income: behind the screen, or question marks in front of it."""

    seat: int
    dice: int
    front: bool


class Rolled(Event, frozen=True, tag="rolled", kw_only=True):
    """A player rolled: so many dice from behind the screen, question marks and bonus dice; `faces`
    counts the straights, curves, shares and question marks that came up."""

    seat: int
    behind: int
    questions: int
    bonus: int
    faces: tuple[int, int, int, int]


class ShareBought(Event, frozen=True, tag="share-bought", kw_only=True):
    """A player bought a share; `seller` is a seat, None for the bank."""

    seat: int
    company: str
    seller: int | None
    question: bool


class SurchargePaid(Event, frozen=True, tag="surcharge-paid", kw_only=True):
    """A player paid for a mountain or a bridge: dice in all, so many of them from behind."""

    seat: int
    lake: bool
    dice: int
    behind: int


class TrackLaid(Event, frozen=True, tag="track-laid", kw_only=True):
    """A piece was laid; row and column are those of the tile in the landscape."""

    seat: int
    end: str
    row: int
    column: int
    square: str
    curve: bool
    question: bool


class TileOpened(Event, frozen=True, tag="tile-opened", kw_only=True):
    """A player chose the new tile beyond the edge."""

    seat: int
    end: str
    tile: str
    rotation: int


class TileConnected(Event, frozen=True, tag="tile-connected", kw_only=True):
    """The new tile is joined to the line and lies in the landscape."""

    seat: int
    end: str
    tile: str
    row: int
    column: int


class TileCleared(Event, frozen=True, tag="tile-cleared", kw_only=True):
    """A large tile was left: its dice went to the bank, its stations to the small tile."""

    row: int
    column: int
    dice: int
    companies: tuple[str, ...]


class PremiumTaken(Event, frozen=True, tag="premium-taken", kw_only=True):
    """A player got question marks for a new tile or a station."""

    seat: int
    dice: int


class StationBuilt(Event, frozen=True, tag="station-built", kw_only=True):
    """A director built a station for so many dice, so many of them from behind."""

    seat: int
    company: str
    terrain: str
    cost: int
    behind: int
    end: str
    row: int
    column: int
    square: str


class DiceReturned(Event, frozen=True, tag="dice-returned", kw_only=True):
    """A player returned surplus dice: straights, curves, shares, question marks."""

    seat: int
    faces: tuple[int, int, int, int]


class TurnEnded(Event, frozen=True, tag="turn-ended", kw_only=True):
    """A player's turn is over."""

    seat: int


class ChainCounted(Event, frozen=True, tag="chain-counted", kw_only=True):
    """The longest chain of a company; without a director it carries nobody."""

    company: str
    length: int
    seat: int | None


class PassengersCarried(Payment, frozen=True, tag="passengers-carried", kw_only=True):
    """A director put passenger counters behind his screen; only he sees how many he has by now."""

    company: str
    seat: int
    total: int


class DirectorAppointed(Event, frozen=True, tag="director-appointed", kw_only=True):
    """A company has a new director; `previous` is None if it had none."""

    company: str
    seat: int | None
    previous: int | None


class YearBegun(Event, frozen=True, tag="year-begun", kw_only=True):
    """A new year begins."""

    year: int
    seat: int


class EndCaused(Event, frozen=True, tag="end-caused", kw_only=True):
    """The game ends after this year; `company` is the one that built its last station, empty if
    no end of the line can be connected to a new tile any more."""

    company: str


class BankBroken(Event, frozen=True, tag="bank-broken", kw_only=True):
    """The bank should pay more dice than it has: the game ends at once."""

    seat: int
    due: int
    left: int


class ScreensLifted(Event, frozen=True, tag="screens-lifted", kw_only=True):
    """The game is over: the passengers of every seat, its question marks in front and all its dice."""

    passengers: tuple[int, ...]
    questions: tuple[int, ...]
    dice: tuple[int, ...]
