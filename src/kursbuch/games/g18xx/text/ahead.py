"""What may be waited for, in words."""

from __future__ import annotations

from kursbuch.games.g18xx.ahead import DIRECTOR, FLOAT, PHASE, SHARE
from kursbuch.games.g18xx.text.names import BookT, Names


class Waiting(Names[BookT]):
    """What moves ahead of time may wait for."""

    def trigger(self, name: str) -> str:
        kind, _, company = name.partition(":")
        params = {"company": self.company(company)} if company else {}
        if kind == SHARE:
            return (
                self._("somebody buys or sells a share of {company}", **params)
                if company
                else self._("somebody buys or sells a share")
            )
        if kind == FLOAT:
            return self._("{company} starts", **params)
        if kind == DIRECTOR:
            return self._("{company} has another director", **params)
        if kind == PHASE:
            return self._("a new phase begins")
        return self._("the round is over")
