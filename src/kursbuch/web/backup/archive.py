"""The backup file format: the rows of all tables, independent of the database.

It is gzip over lines of JSON. The first line is a `Head`. Each table has a `Section`, its rows as
arrays, and an `Ending` with their number and checksum. The last line is a `Tail`: without it, the
file was cut off. Moments are in ISO 8601 and UTC, bytes in base64, JSON as it is.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from kursbuch.core.errors import KursbuchError
from kursbuch.core.processes import Failure, Limits, Progress, Sandbox

FORMAT = 1

#: Kinds of columns: three that JSON has no type for, and all others.
JSON, TIME, BYTES, PLAIN = "json", "time", "bytes", "plain"

#: Maximum length of a first line.
_LONGEST_HEAD = 1_000_000

#: CPU seconds to verify a file: some for any, and some per byte. A real one needs a tenth.
_SECONDS, _SECONDS_PER_BYTE = 60.0, 5e-6

Row = Sequence[Any]


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The first line: `revision` is the migration of the database, `rows` the number of rows per table."""

    kursbuch: str = "backup"
    format: int = FORMAT
    revision: str
    program: str
    made_at: datetime
    rows: dict[str, int]

    @property
    def total(self) -> int:
        """Number of rows in all tables."""
        return sum(self.rows.values())


class Section(msgspec.Struct, frozen=True):
    """The start of a table: its columns and their kinds."""

    table: str
    columns: list[str]
    kinds: list[str]


class Ending(msgspec.Struct, frozen=True):
    """The end of a table."""

    end: str
    rows: int
    checksum: str


class Tail(msgspec.Struct, frozen=True):
    """The last line."""

    complete: bool
    rows: int


class Checksum:
    """The checksum of a table's rows in any order, because databases sort differently.

    >>> one, other = Checksum(), Checksum()
    >>> for row in ([1, "a"], [2, "b"]): one.add(row)
    >>> for row in ([2, "b"], [1, "a"]): other.add(row)
    >>> one.text == other.text != Checksum().text
    True
    """

    def __init__(self) -> None:
        self.rows = 0
        self._sum = 0

    def add(self, written: Row) -> None:
        """Add a row as it stands in the file."""
        line = msgspec.json.encode(written, order="deterministic")
        self._sum += int.from_bytes(hashlib.sha256(line).digest())
        self.rows += 1

    @property
    def text(self) -> str:
        """The checksum so far."""
        return f"{self._sum % 2**256:064x}"


def written(value: Any, kind: str) -> Any:
    """Convert a database value for the file."""
    if value is None:
        return None
    if kind == TIME:
        return (value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)).isoformat()
    if kind == BYTES:
        return base64.b64encode(value).decode()
    return value


def read(value: Any, kind: str) -> Any:
    """Convert a value of the file for the database.

    >>> read(written(b"ab", "bytes"), "bytes")
    b'ab'
    """
    if value is None:
        return None
    if kind == TIME:
        return datetime.fromisoformat(value)
    if kind == BYTES:
        return base64.b64decode(value)
    return value


class ArchiveWriter:
    """Writes an archive."""

    def __init__(self, file: gzip.GzipFile, head: Head, progress: Progress) -> None:
        self._file = file
        self._head = head
        self._progress = progress
        self._done = 0
        self._line(head)

    def _line(self, value: Any) -> None:
        self._file.write(msgspec.json.encode(value) + b"\n")

    def table(self, section: Section, rows: Iterator[Row]) -> None:
        """Write a table."""
        self._line(section)
        checksum = Checksum()
        for row in rows:
            self._line(row)
            checksum.add(row)
            if checksum.rows % 1000 == 0:
                self._progress(self._done + checksum.rows, self._head.total)
        self._line(Ending(section.table, checksum.rows, checksum.text))
        self._done += checksum.rows
        self._progress(self._done, self._head.total)

    def finish(self) -> None:
        """Write the last line."""
        self._line(Tail(True, self._done))


class ArchiveReader:
    """Reads and verifies an archive."""

    def __init__(self, file: gzip.GzipFile, path: str) -> None:
        self._file = file
        self._path = path
        self.head = self._read_head()

    def _read_head(self) -> Head:
        line = self._file.readline(_LONGEST_HEAD)
        try:
            found = msgspec.json.decode(line, type=Head)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise KursbuchError("{path} is not a Kursbuch backup.", path=self._path) from None
        if found.kursbuch != "backup":
            raise KursbuchError("{path} is not a Kursbuch backup.", path=self._path)
        if found.format != FORMAT:
            raise KursbuchError(
                "{path} was made by a newer version of the program ({version}).",
                path=self._path,
                version=found.program,
            )
        return found

    def tables(self) -> Iterator[tuple[Section, Iterator[Row], Checksum]]:
        """Iterate over the tables with their rows and running checksums. Read all rows of a table
        before the next one."""
        rows = dict(self.head.rows)
        while True:
            line = self._next()
            if isinstance(line, dict) and line.get("complete"):
                break
            section = self._as(line, Section)
            if section.table not in rows:
                self.refuse_damaged()
            checksum = Checksum()
            yield section, self._rows(section, checksum), checksum
            if checksum.rows != rows.pop(section.table):
                self.refuse_damaged()
        if rows or self._as(line, Tail).rows != self.head.total or self._file.readline():
            self.refuse_damaged()

    def _rows(self, section: Section, checksum: Checksum) -> Iterator[Row]:
        while isinstance(line := self._next(), list):
            if len(line) != len(section.columns):
                self.refuse_damaged()
            checksum.add(line)
            yield line
        if self._as(line, Ending) != Ending(section.table, checksum.rows, checksum.text):
            self.refuse_damaged()

    def _next(self) -> Any:
        line = self._file.readline()
        if not line:
            raise KursbuchError("{path} is incomplete: its end is missing.", path=self._path)
        try:
            return msgspec.json.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self.refuse_damaged()

    def _as(self, line: Any, kind: type[Any]) -> Any:
        try:
            return msgspec.convert(line, kind)
        except msgspec.ValidationError:
            self.refuse_damaged()

    def refuse_damaged(self) -> NoReturn:
        """Raise the error of a damaged file."""
        raise KursbuchError("{path} is damaged.", path=self._path)


@contextmanager
def reading(path: str | Path) -> Iterator[ArchiveReader]:
    """Open an archive; raise `KursbuchError` if it is damaged or none at all."""
    path = str(path)
    try:
        with gzip.open(path, "rb") as file:
            yield ArchiveReader(file, path)
    except FileNotFoundError:
        raise KursbuchError("There is no file {path}.", path=path) from None
    except IsADirectoryError:
        raise KursbuchError("{path} is a directory, not a file.", path=path) from None
    except gzip.BadGzipFile:
        raise KursbuchError("{path} is not a Kursbuch backup.", path=path) from None
    except EOFError:
        raise KursbuchError("{path} is incomplete: its end is missing.", path=path) from None
    except zlib.error:
        raise KursbuchError("{path} is damaged.", path=path) from None


class _Named(msgspec.Struct, frozen=True):
    """The part of the first line that every format has."""

    kursbuch: str


def is_backup(path: Path) -> bool:
    """Tell whether a file starts as an archive of any version."""
    if not path.is_file():
        return False
    try:
        with gzip.open(path, "rb") as file:
            line = file.readline(_LONGEST_HEAD)
        return msgspec.json.decode(line, type=_Named).kursbuch == "backup"
    except (gzip.BadGzipFile, EOFError, zlib.error, msgspec.DecodeError, UnicodeDecodeError):
        return False


def check(path: str | Path, progress: Progress) -> Head:
    """Read and verify a whole archive; raise `KursbuchError` if it is damaged.

    A child process reads it, since a small file can unpack to more than fits into memory.
    """
    file = Path(path)
    seconds = _SECONDS + _SECONDS_PER_BYTE * (file.stat().st_size if file.is_file() else 0)
    limits = Limits(seconds=seconds, clock=5 * seconds)
    with Sandbox() as sandbox:
        try:
            return sandbox.run(_verify, str(path), limits=limits, progress=progress)
        except Failure as failure:
            raise KursbuchError("{path} is damaged.", path=str(path)) from failure


def _verify(path: str, *, progress: Progress) -> Head:
    with reading(path) as reader:
        done = 0
        for _, rows, checksum in reader.tables():
            for _ in rows:
                if checksum.rows % 1000 == 0:
                    progress(done + checksum.rows, reader.head.total)
            done += checksum.rows
        return reader.head
