"""The best runs of positions of 1835 set up by hand."""

from __future__ import annotations

from collections.abc import Sequence

from kursbuch.core.planner import Call, TrainRun
from kursbuch.eighteen.map.planner import EighteenPlanner
from kursbuch.eighteen.map.runs import best_runs
from kursbuch.eighteen.map.track import Position


class Planner1835(EighteenPlanner):
    """Trains run as in 1835 [5.5.3]."""

    def run(
        self, position: Position, company: str, trains: Sequence[str]
    ) -> tuple[int, list[TrainRun]]:
        total, runs = best_runs(self.components, position, company, trains)
        return total, [
            TrainRun(
                run.train,
                run.value,
                tuple(
                    Call(call.hex, self.place_name(call.hex), call.stop, call.value)
                    for call in run.calls
                ),
                run.ferry,
                run.track,
            )
            for run in runs
        ]
