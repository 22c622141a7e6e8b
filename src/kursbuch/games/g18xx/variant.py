"""Variants of component data: a small file that says only what is different from the file of a title.

`changes` has the keys of the whole file. In a list of records with an `id` a record with the same id
replaces the fields it gives, `"remove": true` removes it, and a new id adds a record; an object changes the
keys it gives, which must be there; anything else replaces what was there.
"""

from __future__ import annotations

from typing import Any

import msgspec

from kursbuch.core.errors import KursbuchError


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A file that says what is different."""

    variant_of: str
    changes: dict[str, Any]
    about: str = ""


def completed(data: bytes, title: str, standard: bytes) -> bytes:
    """The whole file for a variant of `title`; any other content as it is.

    >>> completed(b'{"variant_of": "x", "changes": {"hexes": [{"id": "A1", "cost": 40}]}}', "x",
    ...     b'{"hexes": [{"id": "A1", "cost": 20, "name": "North"}, {"id": "A3", "cost": 0}]}')
    b'{"hexes":[{"id":"A1","cost":40,"name":"North"},{"id":"A3","cost":0}]}'
    """
    try:
        given = msgspec.json.decode(data)
        if not isinstance(given, dict) or "variant_of" not in given:
            return data
        variant = msgspec.convert(given, Variant)
        if variant.variant_of != title:
            raise KursbuchError(
                "The file of component data is a variant of {other}, not of {title}.",
                other=repr(variant.variant_of),
                title=title,
            )
        return msgspec.json.encode(_object(msgspec.json.decode(standard), variant.changes))
    except msgspec.ValidationError as error:
        raise KursbuchError(
            "The file of component data cannot be read: {why}.", why=str(error)
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return data  # whoever reads it says what is wrong


def _object(old: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    for key in changes:
        if key not in old:
            raise KursbuchError(
                "The variant changes {key}, which the file does not have.", key=repr(key)
            )
    return old | {key: _value(old[key], new) for key, new in changes.items()}


def _value(old: Any, new: Any) -> Any:
    if isinstance(old, dict) and isinstance(new, dict):
        return _object(old, new)
    if _are_records(old) and _are_records(new):
        return _records(old, new)
    return new


def _are_records(value: Any) -> bool:
    """Whether this is a list of records with an id."""
    return isinstance(value, list) and all(
        isinstance(record, dict) and isinstance(record.get("id"), str) for record in value
    )


def _records(old: list[dict[str, Any]], changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    records = {record["id"]: record for record in old}
    for change in changes:
        name = change["id"]
        if change.get("remove") is True:
            if records.pop(name, None) is None:
                raise KursbuchError(
                    "The variant removes {id}, which the file does not have.", id=repr(name)
                )
        else:
            records[name] = records.get(name, {}) | change
    return list(records.values())
