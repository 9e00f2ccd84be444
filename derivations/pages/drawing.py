"""Make a drawing's SVG small enough for a page: styles become its own classes, coordinates tenths of a point, and
superfluous text is removed.
"""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise
from zlib import crc32

FLAT = 0.06  # how far a line may deviate, in points; a point is little more than a pixel on the pages

Point = tuple[int, int]  # in tenths of a point


def inline(svg: str, name: str, title: str) -> str:
    """Return an SVG for inlining. Its ids and the class of its root begin with a digest of its name, because a page
    may have several drawings; only ids that are used are kept.
    """
    digest = f"f{crc32(name.encode()) % 16**4:x}"
    used = dict.fromkeys(re.findall(r'(?:href="|url\()#([^")]+)', svg))
    ids = {id: f"{digest}-{place}" for place, id in enumerate(used)}
    styles = {
        style: f"s{place}" for place, style in enumerate(dict.fromkeys(re.findall(r'style="([^"]*)"', svg)))
    }
    rules = "".join(f".{digest} .{called}{{{style}}}" for style, called in styles.items())

    svg = re.sub(r' id="([^"]+)"', lambda found: f' id="{ids[found[1]]}"' if found[1] in ids else "", svg)
    svg = re.sub(r'(?:xlink:)?(href="|url\()#([^")]+)', lambda found: f"{found[1]}#{ids[found[2]]}", svg)
    svg = re.sub(r'style="([^"]*)"', lambda found: f'class="{styles[found[1]]}"', svg)
    svg = re.sub(r' (?:d|x|y)="[^"]*"', _round, svg)
    svg = re.sub(r' d="(M[-\d. Lz]*)"', lambda found: f' d="{_shorten(found[1])}"', svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = _ungroup(svg[svg.index("<svg") :])
    svg, marks = _join_marks(svg, digest)
    svg = svg.replace("</style>", f"{rules}{marks}</style>", 1)
    svg = re.sub(r">\s*\n\s*<", "><", svg)
    svg = re.sub(
        rf"{_LETTER}(?:<tspan x=\"[^\"]+\" y=\"\2\" class=\"\3\">[^<&]</tspan>)+", _join_letters, svg
    )
    return svg.replace("<svg", f'<svg role="img" class="{digest}" aria-label="{escape(title)}"', 1)


def _round(attribute: re.Match[str]) -> str:
    return re.sub(r"\d+\.\d\d+", lambda number: f"{float(number[0]):.1f}".removesuffix(".0"), attribute[0])


def _ungroup(svg: str) -> str:
    """Drop the tags of groups without attributes."""
    kept: list[bool] = []  # for each open group, whether its tags are kept

    def tag(found: re.Match[str]) -> str:
        if found[0].startswith("<g"):
            kept.append(found[0] != "<g>")
            return found[0] if kept[-1] else ""
        return found[0] if kept.pop() else ""

    return re.sub(r"<g(?: [^>]*)?>|</g>", tag, svg)


_USE = r'<use href="#([^"]+)" x="([^"]+)" y="([^"]+)" class="(\w+)"/>'


def _join_marks(svg: str, digest: str) -> tuple[str, str]:
    """Replace each run of equal marks by one path with markers; return the SVG and the styles of these paths."""
    markers: dict[tuple[str, str], str] = {}
    rules: list[str] = []

    def join(run: re.Match[str]) -> str:
        marks = re.findall(_USE, run[0])
        shape, style = marks[0][0], marks[0][3]
        called, define = markers.get((shape, style)), ""
        if called is None:
            called = markers[shape, style] = f"m{len(markers)}"
            define = (
                f'<marker id="{digest}-{called}" markerUnits="userSpaceOnUse" overflow="visible">'
                f'<use href="#{shape}" class="{style}"/></marker>'
            )
            rules.append(f".{digest} .{called}{{fill:none;stroke:none;marker:url(#{digest}-{called})}}")
        places = [(_tenths(x), _tenths(y)) for _, x, y, _ in marks]
        return f'{define}<path d="{_write(places)}" class="{called}"/>'

    same = r'(?:\s*<use href="#\1" x="[^"]+" y="[^"]+" class="\4"/>){2,}'
    return re.sub(f"{_USE}{same}", join, svg), "".join(rules)


_LETTER = r'<tspan x="([^"]+)" y="([^"]+)" class="(\w+)">([^<&])</tspan>'


def _join_letters(run: re.Match[str]) -> str:
    """Join letters of one style on one line into one element with a list of positions."""
    letters = re.findall(_LETTER, run[0])
    places = " ".join(x for x, *_ in letters)
    text = "".join(letter for *_, letter in letters)
    return f'<tspan x="{places}" y="{run[2]}" class="{run[3]}">{text}</tspan>'


def _shorten(d: str) -> str:
    """Return a path of straight lines with relative coordinates, without points that lie on a line."""
    written = []
    for part in re.findall(r"M([^Mz]*)(z?)", d):
        numbers = [_tenths(number) for number in re.findall(r"-?[\d.]+", part[0])]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        written.append(_write(list(_keep(points))) + part[1])
    return "".join(written)


def _keep(points: Sequence[Point]) -> Iterator[Point]:
    """Yield the points of a line without which it would deviate by more than FLAT (Douglas and Peucker)."""
    kept, open_parts = {0, len(points) - 1}, [(0, len(points) - 1)]
    while open_parts:
        first, last = open_parts.pop()
        off, at = max(
            ((_distance(points[n], points[first], points[last]), n) for n in range(first + 1, last)),
            default=(0.0, 0),
        )
        if off > 10 * FLAT:
            kept.add(at)
            open_parts += [(first, at), (at, last)]
    yield from (points[n] for n in sorted(kept))


def _distance(point: Point, first: Point, last: Point) -> float:
    """Return the distance of a point from the line through two others, in tenths of a point."""
    (x, y), (a, b), (c, d) = point, first, last
    along, across = c - a, d - b
    square = along**2 + across**2
    share = min(1, max(0, ((x - a) * along + (y - b) * across) / square)) if square else 0
    return ((x - a - share * along) ** 2 + (y - b - share * across) ** 2) ** 0.5


def _write(points: Sequence[Point]) -> str:
    """Return the path through points: the first one absolute, then relative steps."""
    d = f"M{_number(points[0][0])} {_number(points[0][1])}"
    pen = "M"
    for (a, b), (x, y) in pairwise(points):
        if x == a and y != b:
            d, pen = f"{d}v{_number(y - b)}", "v"
        elif y == b and x != a:
            d, pen = f"{d}h{_number(x - a)}", "h"
        else:
            first, second = _number(x - a), _number(y - b)
            lead = "l" if pen != "l" else "" if first.startswith("-") else " "
            d, pen = f"{d}{lead}{first}{'' if second.startswith('-') else ' '}{second}", "l"
    return d


def _tenths(number: str) -> int:
    return round(10 * float(number))


def _number(tenths: int) -> str:
    """Write a number of tenths in the shortest form that SVG reads."""
    sign, (whole, rest) = "-" * (tenths < 0), divmod(abs(tenths), 10)
    return f"{sign}{whole or '' if rest else whole}{f'.{rest}' if rest else ''}"
