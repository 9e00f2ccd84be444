"""Make pages small: the derivations, folded until a reader opens them, are compressed."""

import json
import re
import zlib
from base64 import b64encode

from .html import ASSETS

_EVIDENCE = re.compile(
    r"(<section class='claim[^>]* id='([^']+)'>(?:(?!</section>).)*?"
    r"<details class='evidence'><summary>[^<]*</summary>)"
    r"(.*?)(</details></section>)",
    re.DOTALL,
)


def pack(page: str) -> str:
    """Return the page with its derivations in one compressed script, from which its browser takes those opened."""
    proofs: list[str] = []

    def fold(found: re.Match[str]) -> str:
        proofs.append(found[3])
        stand_in = f"<p class='packed'>without JavaScript: <code>infonce-ref ledger {found[2]}</code></p>"
        return f"{found[1]}{stand_in}{found[4]}"

    folded = _EVIDENCE.sub(fold, page)
    if not proofs:
        return page
    data = b64encode(zlib.compress(json.dumps(proofs, ensure_ascii=False).encode(), 9)).decode()
    unpack = (ASSETS / "proofs.js").read_text(encoding="utf-8")
    return folded.replace(
        "</body>", f"<script type='text/plain' id='proofs'>{data}</script><script>{unpack}</script>\n</body>"
    )
