"""The result of a run as a badge: an SVG of our own, and the endpoint JSON that shields.io reads."""

from __future__ import annotations

import json
from typing import Tuple
from xml.sax.saxutils import escape

from tokassay.checks.verdict import TRIED
from tokassay.verdicts.exit_code import CONFORMS

from .summary import Summary

LABEL = "tokassay"
COLOURS = {"brightgreen": "#1b6b3c", "red": "#a8201a", "lightgrey": "#555c65"}
SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="20" role="img" aria-label="{alt}">
<title>{alt}</title>
<clipPath id="r"><rect width="{width}" height="20" rx="4"/></clipPath>
<g clip-path="url(#r)"><rect width="{left}" height="20" fill="#33383f"/>\
<rect x="{left}" width="{right}" height="20" fill="{colour}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="{label_at}" y="14" textLength="{label_width}">{label}</text>
<text x="{message_at}" y="14" textLength="{message_width}">{message}</text>
</g>
</svg>
"""


def result(summary: Summary) -> Tuple[str, str]:
    """What the badge says, and the name of its colour."""
    failed, totals = summary.failures, summary.matrix.totals()
    if failed:
        return f"{failed:,} check{'s' if failed != 1 else ''} failed", "red"
    if TRIED.isdisjoint(totals):
        return "nothing tried", "lightgrey"
    if summary.footer is not None and summary.footer.exit_code != CONFORMS:
        return "not complete", "red"
    return f"{sum(totals.get(kind, 0) for kind in TRIED):,} checks agree", "brightgreen"


def endpoint(summary: Summary) -> str:
    """JSON for https://shields.io/badges/endpoint-badge."""
    message, colour = result(summary)
    return json.dumps({"schemaVersion": 1, "label": LABEL, "message": message, "color": colour}) + "\n"


def svg(summary: Summary) -> str:
    """A flat badge of 20 pixels height."""
    message, colour = result(summary)
    label_width, message_width = _width(LABEL), _width(message)
    left, right = label_width + 12, message_width + 12
    return SVG.format(
        width=left + right,
        alt=escape(f"{LABEL}: {message}"),
        left=left,
        right=right,
        colour=COLOURS[colour],
        label=LABEL,
        message=escape(message),
        label_width=label_width,
        message_width=message_width,
        label_at=left / 2,
        message_at=left + right / 2,
    )


def _width(text: str) -> int:
    """Pixels of a text in 11 pixels of Verdana, near enough; `textLength` makes up for the rest."""
    return round(sum(3.9 if char in " ,.:ijlt" else 6.9 for char in text))
