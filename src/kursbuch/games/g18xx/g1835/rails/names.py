"""What versions of Rails-18xx call the companies and papers of 1835."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from kursbuch.games.g18xx.g1835.book import Book1835
from kursbuch.games.g18xx.rails.save import Act
from kursbuch.games.g18xx.rails.search import CannotTake

BAVARIA = "BY"
#: What that program calls the Bavarian director's certificate in its start packet.
BAVARIAN_DIRECTOR = "Bay"

#: Older names of companies.
OLDER = {
    "Bay": "BY",
    "Sax": "SX",
    "Bad": "BA",
    "Wrt": "WT",
    "Hes": "HE",
    "Mec": "MS",
    "Meck": "MS",
    "Mex": "MS",
    "Old": "OL",
    "Pr": "PR",
    "Pru": "PR",
}

#: Where a train or a certificate comes from if not from a company or a player.
PLACES = ("IPO", "Pool", "Unavailable")


def unknown(name: object, act: Act) -> CannotTake:
    """The refusal of a name."""
    return CannotTake(
        "Action {number} ({kind}) names {name}, which is not known.",
        number=act.number,
        kind=act.kind,
        name=repr(name),
    )


class Names:
    """The names of today for those of any version, in any letter case."""

    def __init__(self, book: Book1835, players: Sequence[str]) -> None:
        self.players = players
        companies = book.components.file.companies
        #: Our names by those of today.
        self.ours: dict[str, str] = {}
        records: tuple[Any, ...] = (*companies.public, *companies.minors, *companies.privates)
        for record in records:
            self.ours[record.ids_elsewhere.get("Rails", record.id)] = record.id
        self._today: Mapping[str, str] = {
            **{name.casefold(): name for name in self.ours},
            **{old.casefold(): new for old, new in OLDER.items()},
        }

    def today(self, name: str, act: Act) -> str:
        """A company or paper."""
        found = self._today.get(name.strip().casefold())
        if found is None:
            raise unknown(name, act)
        return found

    def current(self, act: Act) -> Act:
        """An action with the names of today; `CannotTake` says which is not known."""
        if act.seat < 0 and act.fields.get("playerName"):
            raise unknown(act["playerName"], act)
        return replace(act, fields={**act.fields, **dict(self._renamed(act))})

    def _renamed(self, act: Act) -> Iterator[tuple[str, str]]:
        company, item = act["companyName"], act["startItemName"]
        if company:
            yield "companyName", self.today(str(company), act)
        if item:
            found = self.today(str(item), act)
            yield "startItemName", BAVARIAN_DIRECTOR if found == BAVARIA else found
        for field in ("foldableCompanyNames", "foldedCompanyNames"):
            papers = [name for name in str(act[field] or "").split(",") if name.strip()]
            if papers:
                yield field, ",".join(self.today(name, act) for name in papers)
        if act["relaidBaseTokensString"]:
            entries = (
                part.partition(":") for part in str(act["relaidBaseTokensString"]).split(",")
            )
            yield (
                "relaidBaseTokensString",
                ",".join(f"{self.today(name, act)}:{city}" for name, _, city in entries),
            )
        if act.kind == "BuyTrain" and act["fromName"]:
            source = str(act["fromName"]).removeprefix("Bank_")
            yield "fromName", source if source in PLACES else self.today(source, act)
        if act["privateCompanyName"]:
            yield "privateCompanyName", self.today(str(act["privateCompanyName"]), act)
        holder = act["cashHolderName"]
        if holder and " ".join(str(holder).split()) not in self.players:
            yield "cashHolderName", self.today(str(holder), act)
