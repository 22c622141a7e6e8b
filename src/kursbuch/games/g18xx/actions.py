"""Actions of 18xx titles. Certificates go by their percentage, the director's with a P: "10", "20",
"20P"."""

from __future__ import annotations

from typing import ClassVar

from kursbuch.core.actions import Action, PickIf, PickSpec
from kursbuch.core.notation import PLAYER, Form, List, Name, Names, Number, OneOf, Value
from kursbuch.core.sentences import MONEY, NAME, By, If
from kursbuch.core.words import N_
from kursbuch.games.g18xx import components
from kursbuch.games.g18xx.components import POOL
from kursbuch.games.g18xx.events import TRAINS, Line


class Percents(List):
    """Certificates of one company: the director's first, then the largest."""

    def read(self, text: str, names: Names) -> tuple[str, ...]:
        def order(name: str) -> tuple[bool, int, str]:
            return not name.endswith("P"), -components.PERCENT.get(name, 0), name

        return tuple(sorted(super().read(text, names), key=order))


class Exchanged(List):
    """Privates and minors, in data order."""

    def read(self, text: str, names: Names) -> tuple[str, ...]:
        found = [names.spelt("EXCHANGED", name) for name in super().read(text, names)]
        return names.ordered("EXCHANGED", found)


class Runs(Value):
    """Runs of all trains as their stops; empty for a train that does not run."""

    word = N_("HEX/STOP-HEX/STOP, …")
    pattern = r"[\w/, -]+"
    empty = ()

    def write(self, value: tuple[tuple[str, ...], ...]) -> str:
        return ", ".join("-".join(calls) or "-" for calls in value)

    def read(self, text: str, names: Names) -> tuple[tuple[str, ...], ...]:
        return tuple(tuple(filter(None, run.strip().split("-"))) for run in text.upper().split(","))


#: Values in the text forms of actions.
COMPANY = Name("COMPANY", r"\w+")
PERCENT = Name("PERCENT", r"\d{1,2}p?", str.upper)
PERCENTS = Percents(PERCENT)
TRAIN = Name("TRAIN", r"\d(?:\+\d|M)?")
HEX = Name("HEX", r"[a-z]\d{1,2}", str.upper)
CITY = Number(digits=1, first=1)
PRIVATE = Name("PRIVATE", r"\w+")
AMOUNT = Number("AMOUNT", digits=5)
PAYS = OneOf({"pays out": True, "saves": False})
SOURCE = OneOf({"": "bank", " from the pool": "pool"})

#: Headings of choices.
COMPANY_GROUP = By("company_group").of("company")
_EXCHANGE = N_("Exchange")
_LAY = N_("Lay a tile")
_TOKEN = N_("Place a token")
_REVENUE = N_("Revenue")
_ANSWER = N_("Answer")

#: Parts of sentences: the price of certificates, and the place of a token.
_PRICE = MONEY.of(
    By("ruleset.shares.purchase_price").of("state", "company", "certificate", "source")
)
_STOP = By("stop_name").of("state", "hex", "stop")


class BuyPaper(Action, frozen=True, tag="paper"):
    """Buy a paper of the start packet."""

    FORM = Form("buys {paper}", paper=Name("PAPER", words=(N_("director"),)))
    PICK = PickSpec(
        "Start packet",
        ("paper:{paper}", "buy"),
        Line(
            "Buy {paper} for {price}",
            paper=By("full_paper"),
            price=MONEY.of(By("paper_price").of("state", "paper")),
        ),
    )

    paper: str


class BuyShare(Action, frozen=True, tag="share"):
    """Buy the top certificate of the initial offering (`source` "stack"), or one from the
    "pool"."""

    FORM = Form(
        "buys {company} {certificate}{source}",
        company=COMPANY,
        certificate=PERCENT,
        source=OneOf({"": "stack", " from the pool": "pool"}),
    )
    PICK = PickSpec(
        COMPANY_GROUP,
        ("company:{company}", "buy:{source}:{certificate}"),
        If(
            "source",
            Line("{company}: buy {share} from the pool for {price}", price=_PRICE),
            Line("{company}: buy {share} new for {price}", price=_PRICE),
            equals=(POOL,),
        ),
    )

    company: str
    certificate: str
    source: str = "stack"


class Nationalise(Action, frozen=True, tag="nationalise"):
    """Take a certificate from another player."""

    FORM = Form(
        "nationalises {company} {certificate} of player {player}",
        company=COMPANY,
        certificate=PERCENT,
        player=PLAYER,
    )
    PICK = PickSpec(
        COMPANY_GROUP,
        ("company:{company}", "take:{certificate}:{player}"),
        Line(
            "{company}: take {share} from {name} for {price}",
            name=NAME.of("player"),
            price=MONEY.of(
                By("ruleset.shares.nationalisation_price").of("state", "company", "certificate")
            ),
        ),
    )

    company: str
    certificate: str
    player: int


class SellShares(Action, frozen=True, tag="sell"):
    """Sell certificates of one company to the pool, largest first."""

    FORM = Form("sells {company} {certificates}", company=COMPANY, certificates=PERCENTS)
    PICK = PickSpec(
        COMPANY_GROUP,
        ("company:{company}", "sell:{certificates:+}"),
        By("sale_label").of("state", "company", "certificates"),
    )

    company: str
    certificates: tuple[str, ...]


class Done(Action, frozen=True, tag="done"):
    """End the turn in a stock round (a pass if nothing was done), or go on to the next step of a
    company's turn."""

    FORM = Form("is done")
    PICK = PickSpec("Continue", ("done",), By("done_label").of("state"))


class ChooseSwap(Action, frozen=True, tag="swap"):
    """Choose the certificates given for the director's certificate."""

    FORM = Form("takes {company} {certificates}", company=COMPANY, certificates=PERCENTS)
    PICK = PickSpec("Change of director", ("swap:{certificates:+}",), Line("Get {shares}"))

    company: str
    certificates: tuple[str, ...]


class ChooseHome(Action, frozen=True, tag="home"):
    """Choose the home city in which the first token is placed."""

    FORM = Form("makes city {stop} the home of {company}", stop=CITY, company=COMPANY)
    PICK = PickSpec(
        "Home",
        ("stop:{step.hex}/{stop}", "home"),
        Line("Home of {company} in {place}", place=By("stop_name").of("state", "step.hex", "stop")),
    )

    company: str
    stop: int


class Exchange(Action, frozen=True, tag="exchange"):
    """Exchange these papers for shares; an empty list declines."""

    FORM = Form("exchanges {papers}", papers=Exchanged(Name("PAPER", r"\w+"), nothing="nothing"))
    PICK = PickIf(
        "papers",
        PickSpec(
            _EXCHANGE,
            ("paper:{papers}",),
            Line("Exchange {list}", list=By("papers").of("papers")),
            several=True,
        ),
        PickSpec(_EXCHANGE, ("exchange:nothing",), Line("Exchange nothing")),
    )

    papers: tuple[str, ...]


class Discard(Action, frozen=True, tag="discard"):
    """Discard trains above the limit to the pool."""

    FORM = Form("hands in {trains} of {company}", trains=List(TRAIN, ordered=True), company=COMPANY)
    PICK = PickSpec(
        "Trains over the limit",
        ("discard:{trains:+}",),
        Line("{company} gives up {list}", list=TRAINS),
    )

    company: str
    trains: tuple[str, ...]


class LayTile(Action, frozen=True, tag="tile"):
    """Lay or upgrade a tile, by the right of a `private` if named."""

    FORM = Form(
        "lays {tile} on {hex} turned {rotation}[ through {private}]",
        tile=Name("TILE", r"\w{1,4}"),
        hex=HEX,
        rotation=Number(digits=1),
        private=PRIVATE,
    )
    PICK = PickIf(
        "private",
        PickSpec(
            _LAY,
            ("hex:{hex}", "tile:{tile}", "turn:{rotation}", "by:{private}"),
            By("tile_label").of("state", "action"),
        ),
        PickSpec(
            _LAY,
            ("hex:{hex}", "tile:{tile}", "turn:{rotation}"),
            By("tile_label").of("state", "action"),
            cost=By("tile_cost").of("state", "hex", "tile"),
        ),
    )

    hex: str
    tile: str
    rotation: int
    private: str = ""


class PlaceStation(Action, frozen=True, tag="station"):
    """Place a station token, by the right of a `private` if named."""

    FORM = Form(
        "places a station on {hex} city {stop}[ through {private}]",
        hex=HEX,
        stop=CITY,
        private=PRIVATE,
    )
    PICK = PickIf(
        "private",
        PickSpec(
            _TOKEN,
            ("stop:{hex}/{stop}", "by:{private}"),
            Line("Station token in {place}, free with {private}", place=_STOP),
        ),
        PickSpec(
            _TOKEN,
            ("stop:{hex}/{stop}", "place"),
            Line(
                "Station token in {place} for {cost}",
                place=_STOP,
                cost=MONEY.of(
                    By("ruleset.builder.station_cost").of("state", "step.company", "hex")
                ),
            ),
        ),
    )

    hex: str
    stop: int
    private: str = ""


class Dividend(Action, frozen=True, tag="dividend"):
    """Pay out the revenue, or withhold it. `runs` are chosen by hand if the table allows that: for
    each train the hexes and stops it calls at, such as "C11/0"."""

    FORM = Form("{pays}[ running {runs}]", pays=PAYS, runs=Runs())
    PICK = PickSpec(
        _REVENUE, ("{pays:pay|save}", "{calls}"), By("dividend_label").of("state", "step", "pays")
    )

    pays: bool
    runs: tuple[tuple[str, ...], ...] = ()

    @property
    def calls(self) -> tuple[str, ...]:
        """The runs as keys of the board."""
        return tuple(map("-".join, self.runs))


class EnterRevenue(Action, frozen=True, tag="revenue"):
    """Pay out or withhold an entered revenue, if the table allows that."""

    FORM = Form("{pays} {revenue}", pays=PAYS, revenue=AMOUNT)
    PICK = PickSpec(
        _REVENUE,
        ("enter", "{pays:pay|save}"),
        If(
            By("ruleset.is_minor").of("step.company"),
            Line("Share a different revenue"),
            If("pays", Line("Pay out a different revenue"), Line("Withhold a different revenue")),
        ),
    )

    AMOUNT: ClassVar[str] = "revenue"

    pays: bool
    revenue: int


class BuyTrain(Action, frozen=True, tag="train"):
    """Buy a train at its printed price, new ("bank") or from the "pool"."""

    FORM = Form("buys train {train}{source}", train=TRAIN, source=SOURCE)
    PICK = PickSpec(
        "Trains", ("train:{source}:{train}",), By("train_label").of("state", "train", "source")
    )

    train: str
    source: str = "bank"


class OfferTrain(Action, frozen=True, tag="offer"):
    """Offer another company a price for one of its trains."""

    FORM = Form(
        "offers {price} for train {train} of {company}", price=AMOUNT, train=TRAIN, company=COMPANY
    )
    PICK = By("offer_pick").of("state", "action")

    AMOUNT: ClassVar[str] = "price"

    company: str
    train: str
    price: int


class AskPrice(Action, frozen=True, tag="ask"):
    """Ask another price for a train than was offered."""

    FORM = Form("asks {price}", price=AMOUNT)
    PICK = By("price_pick").of("state", "action")

    AMOUNT: ClassVar[str] = "price"

    price: int


class Answer(Action, frozen=True, tag="answer"):
    """Accept or refuse an offer for a train, or an asked price."""

    FORM = Form("{accepts}", accepts=OneOf({"accepts": True, "refuses": False}))
    PICK = PickSpec(
        _ANSWER, ("{accepts:accept|refuse}",), If("accepts", Line("Accept"), Line("Refuse"))
    )

    accepts: bool


#: Actions of every 18xx title.
EighteenAction = (
    BuyPaper
    | BuyShare
    | Nationalise
    | SellShares
    | Done
    | ChooseSwap
    | ChooseHome
    | Exchange
    | Discard
    | LayTile
    | PlaceStation
    | Dividend
    | EnterRevenue
    | BuyTrain
    | OfferTrain
    | AskPrice
    | Answer
)


#: The actions in the order in which their text forms are tried and listed: "buys train 2" is not a
#: share.
FORMS: tuple[type[Action], ...] = (
    BuyTrain, BuyShare, BuyPaper, Nationalise, SellShares, Done, ChooseSwap, ChooseHome, Exchange,
    Discard, LayTile, PlaceStation, Dividend, EnterRevenue, OfferTrain, AskPrice, Answer,
)  # fmt: skip
