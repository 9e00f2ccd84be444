"""Make pages small: compress what is folded, and let the pages of a folder share style and scripts."""

import json
import re
import zlib
from base64 import b64encode
from functools import cache

from .controls import CONTROLS
from .html import asset, write_references

SHARED = ("scroll.js", "questions.js", "kernel.js", "forces.js", "geometry.js", "controls.js", "unpack.js")

_EVIDENCE = re.compile(
    r"(<section class='claim[^>]* id='([^']+)'>(?:(?!</section>).)*?"
    r"<details class='evidence'><summary>[^<]*</summary>)"
    r"(.*?)(</details></section>)",
    re.DOTALL,
)
_FOLDED = re.compile(r"(<details><summary>(?:in print|\d+ formulas)</summary>)(.*?)(</details>)", re.DOTALL)
_NARROW = re.compile(r"(<div class='drawing column'>)(.*?)(</div><figcaption>)", re.DOTALL)


def pack(page: str) -> str:
    """Return the page with its folded parts and its drawings for narrow screens compressed; the browser
    unpacks them. Without JavaScript a narrow screen shows the wide drawing.
    """
    proofs: list[str] = []
    folded: list[str] = []
    drawings: list[str] = []

    def fold(found: re.Match[str]) -> str:
        proofs.append(found[3])
        stand_in = f"<p class='packed'>without JavaScript: <code>infonce-ref ledger {found[2]}</code></p>"
        return f"{found[1]}{stand_in}{found[4]}"

    def wrap(found: re.Match[str]) -> str:
        folded.append(found[2])
        return f"{found[1]}<p class='folded'>shown by JavaScript</p>{found[3]}"

    def put_away(found: re.Match[str]) -> str:
        drawings.append(found[2])
        return found[1] + found[3]

    page = _NARROW.sub(put_away, _FOLDED.sub(wrap, _EVIDENCE.sub(fold, page)))
    packed = "".join(
        f"<script type='text/plain' id='{id}'>{_compress(parts)}</script>"
        for id, parts in (("proofs", proofs), ("folded", folded), ("drawings", drawings))
        if parts
    )
    return (
        page.replace("</body>", f"{packed}<script>{asset('unpack.js')}</script>\n</body>") if packed else page
    )


def _compress(parts: list[str]) -> str:
    return b64encode(zlib.compress(json.dumps(parts, ensure_ascii=False).encode(), 9)).decode()


def share(page: str, above: str = "") -> str:
    """Return the page with links to the style and the scripts beside it. above: the path to their folder. A browser
    follows such links from a file too."""
    style = f"<style>\n{asset('page.css')}\n</style>"
    page = page.replace(style, f'<link rel="stylesheet" href="{above}page.css">')
    for file, script in _list_scripts().items():
        page = page.replace(f"<script>{script}</script>", f'<script src="{above}{file}"></script>')
    return page


def list_shared() -> dict[str, str]:
    """Return the files that the pages of a folder share."""
    return {"page.css": asset("page.css")} | _list_scripts()


@cache
def _list_scripts() -> dict[str, str]:
    numbers = {f"numbers_{name}.js": write_references(name) for name in CONTROLS}
    return {file: asset(file) for file in SHARED} | numbers
