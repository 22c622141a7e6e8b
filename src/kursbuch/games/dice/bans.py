"""Bans on pieces and stations as separate sentences, since one rule can ban several things.

`{least}` in a sentence is the number of pieces required before leaving a tile. Ids in brackets refer to rules.toml.
"""

from __future__ import annotations

from typing import NamedTuple

from kursbuch.core.words import N_


class Ban(NamedTuple):
    """A ban: its rule and reason."""

    rule: str
    sentence: str


# ---- position of a piece

TAKEN = Ban("track-3", N_("This square is not free."))
BACKWARDS = Ban(
    "track-4", N_("The line comes from that side: the piece must lead on to another one.")
)
OTHER_END = Ban(
    "ban-4", N_("The other end of the line leads to this square; track may not touch other track.")
)
TOUCHES = Ban("ban-4", N_("The piece would lead against track that lies there already."))
CLOSES = Ban("ban-4", N_("The line would close: its two ends may never meet."))
FULL_STATION = Ban(
    "ban-3", N_("The station there already uses both exits: no more track may lead to it.")
)
DEAD_END = Ban("ban-5", N_("The line could not leave the tile any more."))
SHUT_IN = Ban("ban-5", N_("The other end of the line could not leave the tile any more."))
ONE_WAY_FOR_TWO = Ban(
    "ban-5",
    N_(
        "The two ends of the line could no longer leave the tile over different sides: the one that "
        "leaves first would shut the other in."
    ),
)
TOO_FEW = Ban("tile-2", N_("At least {least} pieces must lie on the tile, this one included."))
NO_TILES = Ban("tile-3", N_("No small tile is left to be connected."))
NONE_FITS = Ban("tile-5", N_("No small tile that is left fits there."))
PLACE_TAKEN = Ban("tile-6", N_("The place beyond this edge is already taken."))
FINISHED = Ban("tile-9", N_("This end of the line cannot leave its tile any more."))

# ---- dice for a piece

NO_STRAIGHT = Ban("track-2", N_("No die in front of your screen shows a straight."))
NO_CURVE = Ban("track-2", N_("No die in front of your screen shows a curve."))
NO_QUESTION = Ban("track-2", N_("No die in front of your screen shows a question mark."))
MOUNTAIN_UNPAID = Ban(
    "mountain-1",
    N_("The mountain must be paid with a die from behind the screen or a question mark."),
)
BRIDGE_UNPAID = Ban(
    "lake-1", N_("A bridge must be paid with dice from behind the screen or question marks.")
)
CANNOT_CROSS = Ban("ban-1", N_("You cannot connect a new tile with the dice you have."))
CANNOT_BRIDGE = Ban(
    "ban-2", N_("You cannot build a bridge across the water with the dice you have.")
)
CANNOT_LAND = Ban(
    "lake-3", N_("The bridge could not be brought back to land with the dice you have.")
)
NO_BRIDGE = Ban("ban-2", N_("No bridge across the water can be brought to land from there."))
NO_LANDING = Ban("lake-3", N_("The bridge could not be brought back to land that way."))

#: Bans on any piece on a square, whatever its side; bans for lack of dice to build or pay.
SQUARE = (TAKEN, OTHER_END)
DICE = (NO_STRAIGHT, NO_CURVE, NO_QUESTION)
PAYMENT = (MOUNTAIN_UNPAID, BRIDGE_UNPAID)

# ---- dice for a share

NO_SHARE_DIE = Ban("share-4", N_("No die in front of your screen shows a share."))
NO_QUESTION_TO_PAY = Ban("share-4", NO_QUESTION.sentence)

# ---- position of a station

NO_FREE_SQUARE = Ban("station-2", N_("The end of the line points to no free square."))
AT_EDGE = Ban("station-3", N_("A station may not stand at the edge of a tile."))
BESIDE_STATION = Ban("station-4", N_("A station may not stand directly beside another one."))
ON_WATER = Ban("station-14", N_("A station may not stand on water."))
TOUCHED = Ban(
    "station-14",
    N_("The other end of the line leads to this square; a station there would touch its track."),
)
SECOND_STATION = Ban("station-9", N_("{company} already has a station on this tile."))
SURROUNDINGS = Ban("station-5", N_("The surroundings are not right for this kind of station."))
