"""Work on many machines: the workers of a Ray cluster. Needs the extra `kursbuch[ray]`."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from importlib.metadata import version
from itertools import islice
from typing import Any, TypeVar

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no telemetry

import ray
from ray.exceptions import RayError

from kursbuch.bots.worker_pool import MOST_LOSSES, WAITING
from kursbuch.core.errors import KursbuchError

WorkT = TypeVar("WorkT")
ResultT = TypeVar("ResultT")

#: Prefix of cluster addresses; alone it starts a cluster on this machine.
RAY = "ray"


class Cluster:
    """A Ray cluster as a `WorkerPool`: "ray://host:10001", or "ray" to start one on this machine with `jobs`
    processes until `close`."""

    def __init__(self, address: str, jobs: int | None = None) -> None:
        own = address == RAY
        try:
            with warnings.catch_warnings():
                # These warnings are repeated as errors or do not concern users.
                warnings.simplefilter("ignore")
                ray.init(
                    address="local" if own else address,
                    num_cpus=jobs if own else None,
                    include_dashboard=False if own else None,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                )
        except Exception as error:
            # Ray reports connection failures by many exception types.
            why = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
            raise KursbuchError(
                "The cluster {address} cannot be reached: {why}.", address=address, why=why
            ) from None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; stop it if it was started here."""
        ray.shutdown()

    def each(
        self, function: Callable[[WorkT], ResultT], work: Iterable[WorkT]
    ) -> Iterator[ResultT]:
        """The results as they finish. Tasks of lost machines or processes are repeated; the cluster may grow and
        shrink."""
        remote: Any = ray.remote(num_cpus=1, max_retries=MOST_LOSSES)(_do)
        own = version("kursbuch")
        left = iter(work)
        under_way: list[Any] = []
        try:
            while True:
                wanted = WAITING * _processors() - len(under_way)
                under_way += [remote.remote(function, own, one) for one in islice(left, wanted)]
                if not under_way:
                    return
                done, under_way = ray.wait(under_way, num_returns=1)
                yield _result(done[0])
        finally:
            for one in under_way:
                ray.cancel(one, force=True)


def _do(function: Callable[[WorkT], ResultT], wanted: str, one: WorkT) -> ResultT:
    """Run one task on any machine, checking that it has the same program."""
    found = version("kursbuch")
    if found != wanted:
        raise KursbuchError(
            "A machine of the cluster has version {found} of Kursbuch, not {wanted}.",
            found=found,
            wanted=wanted,
        )
    return function(one)


def _processors() -> int:
    resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
    return max(1, int(resources.get("CPU", 1)))


def _result(reference: Any) -> Any:
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, KursbuchError):
            raise error.cause from None
        raise
    except RayError:
        raise KursbuchError("The processes that play end again and again.") from None
