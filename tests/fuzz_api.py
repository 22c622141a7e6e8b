"""Schemathesis over the description of the JSON interface: `python -m tests.fuzz_api [--examples N]`.

Every address is called with valid and with invalid input, at tables that exist and at others, by someone who
plays there: a browser, one that is logged in, a program with its token, and one whose token is none. No answer may be a
failure of the server, and every answer must be as it is described.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import httpx
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup
from schemathesis.core.result import Ok
from schemathesis.openapi.checks import RejectedPositiveData

from kursbuch.web.settings import Settings
from tests.web.visitors import Server

#: What a case must show, beside those checks that belong to every answer.
Finding = tuple[str, str]


@contextmanager
def serving(folder: Path, **chosen: Any) -> Iterator[str]:
    """A server in a thread of its own, for clients that wait."""
    loop = asyncio.new_event_loop()
    server = Server(Settings(database=str(folder / "tables.sqlite3"), bot_processes=1, **chosen))
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(60)
    try:
        yield server.url
    finally:
        asyncio.run_coroutine_threadsafe(server.__aexit__(None, None, None), loop).result(60)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)


def tables_of(client: httpx.Client) -> list[str]:
    """Tables to play with: one that waits, some that run, one that is over."""
    people = [{"kind": "me", "name": "Ada"}, {"kind": "hotseat", "name": "Bob"}]
    bots = [{"kind": "bot", "name": f"Bot {n}", "bot": "random"} for n in (1, 2)]
    made = []
    for title, seats in (
        ("rocket", [people[0], {"kind": "open"}]),
        ("rocket", people),
        ("nimm", [*people, *bots]),
        ("1835", [*people, bots[0]]),
        ("rocket", bots),
    ):
        answer = client.post("/api/tables", json={"title": title, "seats": seats, "pace": 0})
        assert answer.status_code == 201, answer.text
        made.append(answer.json()["id"])
    return made


def fuzz(
    url: str, examples: int, headers: dict[str, str], tables: Sequence[str]
) -> Iterator[Finding]:
    """Call everything that is described; yields what is wrong, as an operation and a sentence."""
    schema = schemathesis.openapi.from_url(f"{url}/schema/openapi.json")

    @schema.hook
    def map_path_parameters(context: Any, path_parameters: Any) -> Any:
        found = dict(path_parameters or {})
        if "table_id" in found and len(str(found["table_id"])) % 4:
            found["table_id"] = tables[len(str(found)) % len(tables)]
        return found

    for result in schema.get_all_operations():
        operation = cast(Ok[Any], result).ok()
        if operation.path.endswith("/events"):
            continue  # never ends
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            for sentence in dict.fromkeys(_wrong(operation, mode, examples, headers)):
                yield f"{operation.method.upper()} {operation.path} ({mode.value})", sentence


def _wrong(
    operation: Any, mode: GenerationMode, examples: int, headers: dict[str, str]
) -> list[str]:
    """What is wrong with the answers to one operation."""
    wrong: list[str] = []

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def call(case: Any) -> None:
        answer = case.call(headers=headers, timeout=30)
        CALLS[answer.status_code] += 1
        try:
            case.validate_response(answer)
        except FailureGroup as group:
            for failure in group.exceptions:
                # That the rules or the table forbid something cannot be told by a description.
                if not (answer.status_code == 422 and isinstance(failure, RejectedPositiveData)):
                    wrong.append(f"{failure}\n{case.as_curl_command()}")

    if (operation.label, mode) not in UNSAYABLE:
        try:
            call()
        except Unsatisfiable:
            UNSAYABLE.add((operation.label, mode))
    return wrong


#: Operations to which nothing invalid can be said; to find that out takes long, and is the same for every caller.
UNSAYABLE: set[tuple[str, GenerationMode]] = set()


CALLS: Counter[int] = Counter()

#: The answers by status, to each kind of caller.
ANSWERS: dict[str, Counter[int]] = {}


#: Who calls: by cookie, logged in, by token, by a token that is none.
BROWSER, ACCOUNT, TOKEN, STRANGER = CALLERS = ("browser", "account", "token", "stranger")


def caller(client: httpx.Client, kind: str) -> dict[str, str]:
    """The headers by which someone of this kind is known from here on."""
    client.get("/")
    if kind in (ACCOUNT, TOKEN):
        fields = {"name": f"Ada of {kind}", "email": "", "password": "a long enough one"}
        assert client.post("/register", data=fields).status_code == 303
    if kind == TOKEN:
        made = client.post("/account/tokens", data={"name": "Fuzz"}).text
        found = re.search(r'id="new-token" readonly value="([^"]+)"', made)
        assert found is not None
        client.cookies.clear()
        client.headers["authorization"] = f"Bearer {found[1]}"
    if kind == STRANGER:
        return {"authorization": "Bearer kursbuch_nobody"}
    if kind == TOKEN:
        return {"authorization": client.headers["authorization"]}
    return {"cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}


def run(folder: Path, examples: int, callers: Sequence[str] = CALLERS) -> Iterator[Finding]:
    """Begin a server in a folder and call everything; yields what is wrong."""
    with serving(folder, limits="off") as url:
        for kind in callers:
            with httpx.Client(base_url=url, timeout=60, headers={"accept": "text/html"}) as client:
                headers = caller(client, kind)
                if kind != STRANGER:
                    tables = tables_of(client)
            CALLS.clear()
            yield from fuzz(url, examples, headers, tables)
            ANSWERS[kind] = Counter(CALLS)


def main() -> int:
    """Run it long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--examples", type=int, default=300)
    chosen = parser.parse_args()
    found = 0
    with tempfile.TemporaryDirectory() as folder:
        for where, sentence in run(Path(folder), chosen.examples):
            found += 1
            print(f"{where}\n{sentence}\n", flush=True)
    for kind, answers in ANSWERS.items():
        print(f"{kind}: {answers.total()} calls {dict(answers)}")
    print(f"{found} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
