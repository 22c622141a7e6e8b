"""How different colours look, also to those who tell fewer apart."""

from __future__ import annotations

from itertools import combinations

Colour = tuple[float, float, float]
_Matrix = tuple[Colour, Colour, Colour]

#: What is seen without one of the three kinds of cones, of linear light (Machado, Oliveira and
#: Fernandes 2009, full severity).
SIGHTS: dict[str, _Matrix] = {
    "everything": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
_CONES: _Matrix = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_OKLAB: _Matrix = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def linear(text: str) -> Colour:
    """The light of a colour such as "#dd0078"."""
    red, green, blue = (int(text[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return _light(red), _light(green), _light(blue)


def _light(value: float) -> float:
    if value <= 0.04045:
        return value / 12.92
    power: float = ((value + 0.055) / 1.055) ** 2.4
    return power


def _times(matrix: _Matrix, colour: Colour) -> Colour:
    one, two, three = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in matrix)
    return one, two, three


def oklab(colour: Colour) -> Colour:
    """Where a colour stands in the space of Ottosson (2020), in which distances are as they are seen."""
    one, two, three = (max(0.0, part) ** (1 / 3) for part in _times(_CONES, colour))
    return _times(_OKLAB, (one, two, three))


def distance(one: str, other: str, sight: str = "everything") -> float:
    """How far apart two colours are for someone who sees so; black and white are 1 apart."""
    places = []
    for text in (one, other):
        red, green, blue = (
            min(1.0, max(0.0, part)) for part in _times(SIGHTS[sight], linear(text))
        )
        places.append(oklab((red, green, blue)))
    return float(sum((a - b) ** 2 for a, b in zip(*places, strict=True)) ** 0.5)


def closest(colours: list[str], sight: str = "everything") -> float:
    """The distance of the two colours that are most alike."""
    return min(distance(one, other, sight) for one, other in combinations(colours, 2))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as the guidelines for accessible pages count it."""
    weights = (0.2126, 0.7152, 0.0722)
    lights = [
        sum(a * b for a, b in zip(weights, linear(text), strict=True)) + 0.05
        for text in (one, other)
    ]
    return max(lights) / min(lights)
