"""What `hatch_build.py` writes is there and usable."""

from __future__ import annotations

import gettext
import gzip
import json
import re
import struct
import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

import hatch_build

PACKAGE = resources.files("kursbuch")
ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", ["main.js", "style.css"])
def test_bundle_is_built_with_its_source_map(name: str) -> None:
    folder = PACKAGE / "web" / "static" / "dist"
    assert f"sourceMappingURL={name}.map" in (folder / name).read_text("utf-8")
    source_map = json.loads((folder / f"{name}.map").read_text("utf-8"))
    assert any("frontend/src/" in source for source in source_map["sources"])


@pytest.mark.parametrize(("name", "most"), [("main.js", 40_000), ("style.css", 20_000)])
def test_bundle_is_light(name: str, most: int) -> None:
    """It is loaded over the lines of phones."""
    content = (PACKAGE / "web" / "static" / "dist" / name).read_bytes()
    assert len(gzip.compress(content, 5)) < most


def test_typeface_is_light_and_ours() -> None:
    """All weights together; no other host is asked. Their addresses change with their content."""
    folder = PACKAGE / "web" / "static" / "dist"
    style = (folder / "style.css").read_text("utf-8")
    version = json.loads((ROOT / "package.json").read_text("utf-8"))["dependencies"][
        "@fontsource/barlow"
    ]
    files = re.findall(r'url\("?([^")]+\.woff2[^")]*)', style)
    assert len(files) == len(hatch_build.WEIGHTS)
    assert all(re.fullmatch(rf"\./[\w-]+\.woff2\?v={version}", file) for file in files)
    sizes = [len((folder / file.partition("?")[0]).read_bytes()) for file in files]
    assert sum(sizes) < 80_000
    assert "SIL OPEN FONT LICENSE" in (folder / "barlow-licence.txt").read_text("utf-8")


def test_a_typeface_is_unpacked() -> None:
    for weight in hatch_build.WEIGHTS:
        font = (PACKAGE / "core" / "typeface" / f"barlow-{weight}.ttf").read_bytes()
        directory = list(
            struct.iter_unpack(">4sIII", font[12 : 12 + 16 * int.from_bytes(font[4:6])])
        )
        assert {b"cmap", b"glyf", b"hmtx", b"name"} <= {tag for tag, *_ in directory}
        for tag, checksum, offset, length in directory:
            table = font[offset : offset + length] + bytes(-length % 4)
            words = [word for (word,) in struct.iter_unpack(">I", table)]
            # That of the head is made without the checksum of the whole file in it.
            found = sum(words) - (words[2] if tag == b"head" else 0)
            assert found % 2**32 == checksum, tag


@pytest.mark.parametrize("place", ["README.md", "src/kursbuch/web/templates/base.html"])
def test_the_browsers_it_is_built_for_are_named(place: str) -> None:
    text = (ROOT / place).read_text("utf-8")
    for browser in hatch_build.BROWSERS:
        assert re.sub(r"(\D+)", r"\1 ", browser, count=1).capitalize() in text


def test_bundle_holds_its_package() -> None:
    source_map = json.loads((PACKAGE / "web/static/dist/main.js.map").read_text("utf-8"))
    assert any("node_modules/idiomorph/" in source for source in source_map["sources"])


def test_german_catalogue_is_compiled() -> None:
    messages = PACKAGE / "locale" / "de" / "LC_MESSAGES"
    with (messages / "kursbuch.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    with (messages / "kursbuch.po").open("rb") as file:
        source = read_po(file, locale="de")
    for message in source:
        if isinstance(message.id, str) and message.id and message.string and not message.fuzzy:
            if message.context:
                translated = compiled.pgettext(message.context, message.id)
            else:
                translated = compiled.gettext(message.id)
            assert translated == message.string


def test_npm_lock_names_no_registry() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text("utf-8"))
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert packages
    for name, entry in packages.items():
        assert "resolved" not in entry, name
        assert "integrity" in entry, name


def locked() -> dict[str, dict[str, Any]]:
    packages = tomllib.loads((ROOT / "uv.lock").read_text("utf-8"))["package"]
    return {package["name"]: package for package in packages}


def test_lock_names_only_the_public_registry() -> None:
    for name, package in locked().items():
        if name == "kursbuch":
            continue
        assert package["source"] == {"registry": "https://pypi.org/simple"}, name
        for file in [*package.get("wheels", []), *filter(None, [package.get("sdist")])]:
            assert file["url"].startswith("https://files.pythonhosted.org/"), name
            assert file["hash"].startswith("sha256:"), name


def test_build_requirements_are_the_locked_ones() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    required = project["build-system"]["requires"]
    assert project["dependency-groups"]["build"] == required
    versions = {
        f"{name}=={package['version']}" for name, package in locked().items() if name != "kursbuch"
    }
    assert versions.issuperset(required)


def test_lock_holds_uv_for_run_py() -> None:
    uv = locked()["uv"]
    assert uv["wheels"]
    assert uv["sdist"]
