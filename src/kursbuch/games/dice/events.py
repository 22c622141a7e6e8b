"""Events of Railroad Dice. Companies and tiles are named by id, squares by name."""

from __future__ import annotations

from kursbuch.core.events import Event, Payment
from kursbuch.core.sentences import NAME, NUMBER, By, Each, If, Sentence

COMPANY = By("company")
TILE = By("tile")
FACES = By("dice").of("faces")


class StartPlayerDrawn(Event, frozen=True, tag="start-player", kw_only=True):
    """The start player was drawn by lot."""

    SENTENCE = Sentence("{name} is drawn as start player.")

    seat: int


class IncomeTaken(Event, frozen=True, tag="income-taken", kw_only=True):
    """A player took income: behind the screen, or as question marks in front."""

    SENTENCE = If(
        "front",
        Sentence(
            "{name} lost the last directorship and takes {n} question mark as income.",
            "{name} lost the last directorship and takes {n} question marks as income.",
            n="dice",
        ),
        Sentence("{name} takes {n} die as income.", "{name} takes {n} dice as income.", n="dice"),
    )

    seat: int
    dice: int
    front: bool


class Rolled(Event, frozen=True, tag="rolled", kw_only=True):
    """A player rolled dice from behind the screen, question marks and bonus dice; `faces` counts straights, curves,
    shares and question marks."""

    SENTENCE = If(
        "bonus",
        Sentence(
            "{name} rolls {n} die, {bonus} from the bank: {result}.",
            "{name} rolls {n} dice, {bonus} from the bank: {result}.",
            n="total",
            result=FACES,
        ),
        Sentence(
            "{name} rolls {n} die: {result}.",
            "{name} rolls {n} dice: {result}.",
            n="total",
            result=FACES,
        ),
    )

    seat: int
    behind: int
    questions: int
    bonus: int
    faces: tuple[int, int, int, int]

    @property
    def total(self) -> int:
        """Number of dice rolled."""
        return self.behind + self.questions + self.bonus


class ShareBought(Event, frozen=True, tag="share-bought", kw_only=True):
    """A player bought a share; `seller` is a seat, None for the bank."""

    SENTENCE = If(
        "seller",
        Sentence("{name} buys a share of {company} from the bank.", company=COMPANY),
        Sentence(
            "{name} buys a share of {company} from {other}.",
            company=COMPANY,
            other=NAME.of("seller"),
        ),
        equals=(None,),
    )

    seat: int
    company: str
    seller: int | None
    question: bool


class SurchargePaid(Event, frozen=True, tag="surcharge-paid", kw_only=True):
    """A player paid for a mountain or bridge: total dice, and those from behind the screen."""

    SENTENCE = If(
        "lake",
        Sentence(
            "{name} pays {n} die for a bridge.",
            "{name} pays {n} dice for a bridge.",
            n="dice",
        ),
        Sentence(
            "{name} pays {n} die to build on the mountain.",
            "{name} pays {n} dice to build on the mountain.",
            n="dice",
        ),
    )

    seat: int
    lake: bool
    dice: int
    behind: int


class TrackLaid(Event, frozen=True, tag="track-laid", kw_only=True):
    """A piece was laid; row and column are its tile's place in the landscape."""

    SENTENCE = If(
        "curve",
        Sentence("{name} lays a curve on {square} at end {end}."),
        Sentence("{name} lays a straight on {square} at end {end}."),
    )

    seat: int
    end: str
    row: int
    column: int
    square: str
    curve: bool
    question: bool


class TileOpened(Event, frozen=True, tag="tile-opened", kw_only=True):
    """A player chose the new tile beyond the edge."""

    SENTENCE = Sentence("{name} chooses a new tile at end {end}: {tile}.", tile=TILE)

    seat: int
    end: str
    tile: str
    rotation: int


class TileConnected(Event, frozen=True, tag="tile-connected", kw_only=True):
    """The new tile was connected and joined the landscape."""

    SENTENCE = Sentence("The new tile is connected to end {end}: {tile}.", tile=TILE)

    seat: int
    end: str
    tile: str
    row: int
    column: int


class TileCleared(Event, frozen=True, tag="tile-cleared", kw_only=True):
    """A large tile was left: dice went to the bank, stations to the small tile."""

    SENTENCE = If(
        "companies",
        Sentence(
            "The tile left behind is cleared: {n} die goes to the bank, "
            "the stations of {companies} stay in the landscape.",
            "The tile left behind is cleared: {n} dice go to the bank, "
            "the stations of {companies} stay in the landscape.",
            n="dice",
            companies=Each(COMPANY),
        ),
        Sentence(
            "The tile left behind is cleared: {n} die goes to the bank.",
            "The tile left behind is cleared: {n} dice go to the bank.",
            n="dice",
        ),
    )

    row: int
    column: int
    dice: int
    companies: tuple[str, ...]


class PremiumTaken(Event, frozen=True, tag="premium-taken", kw_only=True):
    """A player received question marks for a new tile or station."""

    SENTENCE = Sentence(
        "{name} receives {n} question mark as a premium.",
        "{name} receives {n} question marks as a premium.",
        n="dice",
    )

    seat: int
    dice: int


class StationBuilt(Event, frozen=True, tag="station-built", kw_only=True):
    """A director built a station for `cost` dice, `behind` of them from behind the screen."""

    SENTENCE = Sentence(
        "{name} builds a station of {company} on {square} at end {end} for {n} die ({terrain}).",
        "{name} builds a station of {company} on {square} at end {end} for {n} dice ({terrain}).",
        n="cost",
        company=COMPANY,
        terrain=By("surroundings"),
    )

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

    SENTENCE = Sentence("{name} returns {dice}.", dice=FACES)

    seat: int
    faces: tuple[int, int, int, int]


class TurnEnded(Event, frozen=True, tag="turn-ended", kw_only=True):
    """A player's turn ended."""

    SENTENCE = Sentence("{name} ends the turn.")

    seat: int


class ChainCounted(Event, frozen=True, tag="chain-counted", kw_only=True):
    """Longest chain of a company; without a director it carries no passengers."""

    SENTENCE = If(
        "seat",
        Sentence(
            "{company}: the longest chain is {n} station, but there is no director.",
            "{company}: the longest chain is {n} stations, but there is no director.",
            n="length",
            company=COMPANY,
        ),
        Sentence(
            "{company}: the longest chain is {n} station; its passengers go to {name}.",
            "{company}: the longest chain is {n} stations; their passengers go to {name}.",
            n="length",
            company=COMPANY,
        ),
        equals=(None,),
    )

    company: str
    length: int
    seat: int | None


class PassengersCarried(Payment, frozen=True, tag="passengers-carried", kw_only=True):
    """A director received passenger counters behind the screen; only he knows the total."""

    SENTENCE = Sentence(
        "{company} brings {name} {amount} passengers; that makes {total}.",
        company=COMPANY,
        amount=By("passengers").of("received"),
        total=By("passengers"),
    )

    company: str
    seat: int
    total: int

    @property
    def received(self) -> int:
        """Passenger counters for the director."""
        return self.amounts[self.seat]


class DirectorAppointed(Event, frozen=True, tag="director-appointed", kw_only=True):
    """A company got a new director; `previous` is None if it had none."""

    SENTENCE = If(
        "seat",
        Sentence("{company} no longer has a director.", company=COMPANY),
        Sentence("{name} becomes director of {company}.", company=COMPANY),
        equals=(None,),
    )

    company: str
    seat: int | None
    previous: int | None


class YearBegun(Event, frozen=True, tag="year-begun", kw_only=True):
    """A new year began."""

    SENTENCE = Sentence("Year {year} begins; {name} starts.", year=NUMBER)

    year: int
    seat: int


class EndCaused(Event, frozen=True, tag="end-caused", kw_only=True):
    """The game will end after this year; `company` built its last station, or is empty if no end can be connected to
    a new tile."""

    SENTENCE = If(
        "company",
        Sentence(
            "{company} has built its last station: this is the last year, and the bank no longer "
            "pays anything.",
            company=COMPANY,
        ),
        Sentence(
            "Neither end of the line can leave its tile: this is the last year, and the bank no "
            "longer pays anything."
        ),
    )

    company: str


class BankBroken(Event, frozen=True, tag="bank-broken", kw_only=True):
    """The bank could not pay: the game ends at once."""

    SENTENCE = Sentence(
        "{name} should receive {due} dice, but the bank has only {n}: the bank is broken, and "
        "the game ends at once.",
        "{name} should receive {due} dice, but the bank has only {n}: the bank is broken, and "
        "the game ends at once.",
        n="left",
    )

    seat: int
    due: int
    left: int


class ScreensLifted(Event, frozen=True, tag="screens-lifted", kw_only=True):
    """The game is over: each seat's passengers, question marks in front, and total dice."""

    SENTENCE = Sentence(
        "The screens are lifted: {list}.", list=Each(By("carried"), ", ").of("shown")
    )

    passengers: tuple[int, ...]
    questions: tuple[int, ...]
    dice: tuple[int, ...]

    @property
    def shown(self) -> list[tuple[int, int]]:
        """Seats with passengers."""
        return list(enumerate(self.passengers))
