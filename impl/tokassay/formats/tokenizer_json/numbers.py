"""Decimal numbers as the oracle reads them, which is not always the nearest double.

Unigram scores decide ties, so the last bit matters. serde_json (the oracle's reader) takes at most
the digits that fit in 64 bits and then multiplies or divides once by a power of ten: two roundings.
About one in eight random doubles is read one unit away from what was printed (``json.numbers``).
"""

from __future__ import annotations

import re
from typing import Iterator

_PARTS = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?")
_SIGNIFICAND_MOST = 2**64 - 1
_LARGEST_POWER = 308


def read_number(text: str) -> float:
    """The double for a JSON number; ValueError when it is beyond the range of doubles."""
    if len(text) <= 16 and "e" not in text and "E" not in text:
        return float(text)  # at most 15 digits and a small power of ten: one rounding, as in the oracle
    match = _PARTS.fullmatch(text)
    if match is None:
        raise ValueError(f"{text[:40]!r} is not a number")
    sign, whole, fraction, power = match.groups(default="")
    significand, exponent = _significand(whole, fraction)
    value = _scaled(significand, exponent + int(power[:12] or 0))
    return -value if sign else value


def _significand(whole: str, fraction: str) -> tuple[int, int]:
    """The leading digits that fit in 64 bits, and the power of ten they are worth."""
    digits = whole + fraction
    kept = len(digits) if int(digits[:40]) <= _SIGNIFICAND_MOST and len(digits) <= 40 else _fitting(digits)
    return int(digits[:kept]), len(whole) - kept


def _fitting(digits: str) -> int:
    leading_zeros = len(digits) - len(digits.lstrip("0"))
    kept = leading_zeros + 19
    return kept + (len(digits) > kept and int(digits[: kept + 1]) <= _SIGNIFICAND_MOST)


def _scaled(significand: int, exponent: int) -> float:
    value = float(significand)
    while value and exponent < -_LARGEST_POWER:
        value /= 1e308
        exponent += _LARGEST_POWER
    if not value:
        return 0.0
    if exponent > _LARGEST_POWER:
        raise ValueError("number out of range")
    value = value * float(f"1e{exponent}") if exponent >= 0 else value / float(f"1e{-exponent}")
    if value == float("inf"):
        raise ValueError("number out of range")
    return value


def write_number(value: float) -> str:
    """A decimal that `read_number` (and so the oracle) reads as exactly `value`.

    The shortest decimal where that will do (it nearly always does), else one of up to 19 digits.
    """
    shortest = repr(value)
    return next((text for text in _candidates(shortest, value) if read_number(text) == value), shortest)


def _candidates(shortest: str, value: float) -> Iterator[str]:
    yield shortest
    for digits in (17, 18, 19, 16):
        mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
        near = abs(int(mantissa.replace(".", "")))
        sign, exponent = "-" if value < 0 else "", int(power) - digits + 1
        for step in range(-3, 4):
            yield f"{sign}{near + step * _spacing(near)}e{exponent}"


def _spacing(significand: int) -> int:
    """The distance between neighbouring doubles of that size."""
    return 1 << max(0, significand.bit_length() - 53)
