"""Drawings on a page: the shorter form looks the same."""

import re

from infonce_ref.derivations.pages import drawing

SVG = """<?xml version="1.0"?>
<svg viewBox="0 0 90 90"><defs><style>*{stroke-linecap: butt}</style></defs>
<g id="unused"><g clip-path="url(#area)"><defs><path id="dot" d="M 0 0 C 1 1 2 2 3 3 z"/></defs>
 <use xlink:href="#dot" x="10.04" y="20.26" style="fill: #fff"/>
 <use xlink:href="#dot" x="12" y="20.26" style="fill: #fff"/>
 <use xlink:href="#dot" x="12" y="17.5" style="fill: #fff"/>
</g></g>
<path d="M 1.02 5 L 2 5.02 L 3 5 L 4 9.5 L 4 3 z " style="fill: none"/>
<text><tspan x="1" y="2" style="font-size: 9px">a</tspan><tspan x="6.25" y="2" style="font-size: 9px">b</tspan>
<tspan x="8" y="1" style="font-size: 6px">2</tspan></text>
</svg>"""


def test_a_drawing_is_written_shortly():
    made = drawing.inline(SVG, "name", "A <title>")
    digest = re.search(r'class="(f[0-9a-f]+)"', made)[1]
    assert 'aria-label="A &lt;title&gt;"' in made
    assert "unused" not in made
    assert 'd="M10 20.3h2v-2.8" class="m0"' in made
    assert f".{digest} .m0{{fill:none;stroke:none;marker:url(#{digest}-m0)}}" in made
    assert made.count("<use") == 1
    assert 'd="M1 5h2l1 4.5v-6.5z"' in made
    assert '<tspan x="1 6.2" y="2" class="s2">ab</tspan>' in made
    assert ">2</tspan>" in made
