"""Actions of Railroad Dice and their notation (docs/notation.md).

Ends of the line are called A and B. `behind` is the number of dice of a payment taken from behind the screen; the
rest are question marks from in front.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

import msgspec

from kursbuch.core.actions import Action, PickSpec
from kursbuch.core.notation import Form, Name, Names, Number, OneOf, Translate, Value
from kursbuch.core.sentences import By, If, Sentence
from kursbuch.core.words import N_

EndName = Literal["A", "B"]
SideName = Literal["N", "E", "S", "W"]
Seller = Literal["bank", "director"]
Square = Annotated[str, msgspec.Meta(pattern=r"^[a-i][1-9]\Z")]

#: Number of dice.
Dice = Annotated[int, msgspec.Meta(ge=0)]

#: Number of quarter turns.
Turns = Annotated[int, msgspec.Meta(ge=0, le=3)]

COMPANY = Name("COMPANY", r"\w+", str.lower)
END = Name("END", "[AB]", str.upper)
NUMBER = Number()
TERRAINS = (N_("mountain"), N_("lake"), N_("meadow"))
WITH_QUESTION = OneOf({" with ?": True, "": False})

#: Faces of dice: field of an action, word in notation, name in board keys.
FACES = (
    ("straights", N_("straight"), "straight"),
    ("curves", N_("curve"), "curve"),
    ("shares", N_("share"), "share"),
    ("questions", "?", "question"),
)


class FaceCounts(Value):
    """Counts by face, in a field each: "2 straight, 1 ?", singular or plural."""

    def __init__(self, faces: Mapping[str, str]) -> None:
        self.faces = faces
        self.word = ", ".join(f"NUMBER {face}" for face in faces.values())
        one = "|".join(re.escape(face) + "[ns]?" for face in faces.values())
        self.pattern = rf"\d{{1,3}} (?:{one})(?:, ?\d{{1,3}} (?:{one})){{0,3}}"

    def translated(self, translate: Translate) -> Self:
        return type(self)({field: translate(face) for field, face in self.faces.items()})

    def write_from(self, action: object, field: str) -> str:
        counts = ((getattr(action, name), face) for name, face in self.faces.items())
        return ", ".join(f"{count} {face}" for count, face in counts if count)

    def read_into(self, text: str | None, field: str, names: Names) -> dict[str, Any]:
        counts = dict.fromkeys(self.faces, 0)
        for number, given in re.findall(r"(\d+) ([^,]+)", str(text).casefold()):
            counts[
                next(
                    name
                    for name, face in self.faces.items()
                    if given.strip() in (face.casefold() + end for end in ("", "n", "s"))
                )
            ] += int(number)
        return counts


class TakeIncome(Action, frozen=True, tag="take-income"):
    """Take dice from the bank [income-2]."""

    FORM = Form("takes income")


class Roll(Action, frozen=True, tag="roll"):
    """Roll dice from behind the screen and question marks, plus a bonus die per question mark [roll-2]."""

    FORM = Form("rolls {behind}[ and {questions} ?]", behind=NUMBER, questions=NUMBER)
    PICK = PickSpec(
        "Roll",
        ("roll", "roll:{questions}"),
        If(
            "questions",
            Sentence("Roll with {n} question mark", "Roll with {n} question marks", n="questions"),
            Sentence("Roll dice from behind the screen"),
        ),
    )

    AMOUNT: ClassVar[str] = "behind"

    behind: Dice
    questions: Dice


class BuyShare(Action, frozen=True, tag="buy-share"):
    """Buy a share from the bank or its director [share-2, share-3] with a share die or a question mark."""

    FORM = Form(
        "buys {company} from {seller}{question}",
        company=COMPANY,
        seller=OneOf({"bank": "bank", "director": "director"}),
        question=WITH_QUESTION,
    )

    company: str
    seller: Seller
    question: bool = False


class LayTrack(Action, frozen=True, tag="lay-track"):
    """Lay a piece on a square an end points to, leading to a side [track-3], with its own face or a question mark."""

    FORM = Form(
        "lays {end} {square} to {side}{question}[ paying {behind} behind]",
        end=END,
        square=Name("SQUARE", "[a-i][1-9]", str.lower),
        side=Name("SIDE", "[NESW]", str.upper),
        question=WITH_QUESTION,
        behind=NUMBER,
    )

    AMOUNT: ClassVar[str] = "behind"

    end: EndName
    square: Square
    side: SideName
    question: bool = False
    behind: Dice = 0


class OpenTile(Action, frozen=True, tag="open-tile"):
    """Choose the new tile beyond the edge, rotated clockwise in quarter turns [tile-1]."""

    FORM = Form(
        "opens {tile}[ turned {rotation}]",
        tile=Name("TILE", r"\w+", str.lower, TERRAINS),
        rotation=Number(pattern="[0-3]"),
    )

    tile: str
    rotation: Turns


class BuildStation(Action, frozen=True, tag="build-station"):
    """Build a company's station at an end [station-1]."""

    FORM = Form(
        "builds {company} {terrain} {cost} at {end}[ paying {behind} behind]",
        company=COMPANY,
        terrain=Name("TERRAIN", r"\w+", str.lower, TERRAINS),
        cost=Number("COST", digits=2),
        end=END,
        behind=NUMBER,
    )

    AMOUNT: ClassVar[str] = "behind"

    company: str
    terrain: str
    cost: int
    end: EndName
    behind: Dice = 0


class EndTurn(Action, frozen=True, tag="end-turn"):
    """End the turn [turn-3]."""

    FORM = Form("ends turn")
    PICK = PickSpec("End the turn", ("end-turn",), Sentence("End the turn"))


class ReturnDice(Action, frozen=True, tag="return-dice"):
    """Return surplus dice in front of the screen [reduce-1]."""

    FORM = Form("returns {dice}", dice=FaceCounts({name: word for name, word, _ in FACES}))
    PICK = PickSpec(
        "Return dice",
        ("die:{faces}",),
        Sentence("Return {dice}", dice=By("dice").of("counts")),
        several=True,
    )

    straights: Dice = 0
    curves: Dice = 0
    shares: Dice = 0
    questions: Dice = 0

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """Number of dice by face."""
        return self.straights, self.curves, self.shares, self.questions

    @property
    def faces(self) -> tuple[str, ...]:
        """The face of each die, as in board keys."""
        keys = (key for _, _, key in FACES)
        return tuple(
            key for key, count in zip(keys, self.counts, strict=True) for _ in range(count)
        )


DiceAction = (
    TakeIncome | Roll | BuyShare | LayTrack | OpenTile | BuildStation | EndTurn | ReturnDice
)
