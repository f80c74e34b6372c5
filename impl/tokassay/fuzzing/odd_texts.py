"""Short texts in which normalizers, pre-tokenizers and added tokens meet what they treat specially."""

from __future__ import annotations

import random
from typing import Iterator, Sequence

# One string per kind; a text draws from a few kinds at a time, so that rare meetings happen often.
KINDS = {
    "ascii": "abcxyzABCXYZ019_-.,!?'\"<>|[]",
    "blanks": " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2003\u200a\u2028\u2029\u202f\u205f\u3000",
    "spaces": "   \n",
    "controls": "\0\x01\x08\x0e\x7f\x80\x8f\x9f\xad\u200b\u200c\u200d\u200e\u2060"
    "\ufeff\ufffd\ue000\U000e0001\U0010ffff",
    "marks": "\u0300\u0301\u0308\u0327\u0323\u034f\u0345\u0591\u05b0\u093c\u0e38\u302a\U0001d165\U0001e8d0",
    "newer marks": "\u1abd\u1ac9\u08d4\u1734\u0eba\u1df6\U00011938\u1cf7\U00010eab\U00011938\U0001e2ae",
    "spacing marks": "\u0903\u093e\u0949\u0bbe\u0d3e\u1bc9\u17b6\u102b",
    "composed": "éÅÅåñçửǖẛ\u0958\u0344\u2126\u212b\uac00\uac01\ufb1d\U0002f800\u1e9b\u0323\u09cb\u0b94",
    "compatible": "ﬁﬀ①②½²Ⅷ㈱㌔㋿ｶﾞＡ１￥…™\u3000\u00b4\u017f\u2474\uff9e\U0001d400\ufdfa",
    "jamo": "\u1100\u1161\u11a8\u1102\u1173\u11ab\ua960\ud7b0\ud7cb\u3131가각힣",
    "case": "İIıiſKÅßẞΣσςǅǆǄꭰᎠⱯꞯꟍᲉ\U00010400\U00010d50\U00016ea0",
    "numbers": "0123456789²³¹¼½٣०༳〇〡Ⅷⅷ㆒\u0660\u06f0\U0001d7ce\U00011de0\U00016ff4\U000116d0",
    "punctuation": ".,;:!?()[]{}«»„“…—‐·¡¿՚؟।༄、。〃\u166d\U000111c9\U00010eae\u2e5d\u1b7d$+<=>^`|~",
    "scripts": "aбγאبकกᠠあカーｱ漢ァ々〆\u0378\u0600\u202e\u1cf5\u20bf\U00010330",
    "cjk": "漢字中文\u3400\u4dbf\u9fff\uf900\U00020000\U0002a6df\U0002a700\U0002b81f"
    "\U0002b820\U0002b91f\U0002b920\U0002cea1\U0002f800",
    "emoji": "😀👩\u200d👩\ufe0f❤\u200d🔥🇩🇪🏽\u20e3©®\u2764\U0001f3fb\U0001fac6",
    "indic": "क्षि\u0915\u094d\u200d\u0937\u0bcd\u0d4e\u0ccd\u1039\u1000\u0600\u0601"
    "\u06dd\U000110bd\U000111c2",
    "meta": "▁▁ ▁\u2581Ġ_Ċ",
}


def odd_texts(seed: int, count: int, words: Sequence[str] = (), longest: int = 14) -> Iterator[str]:
    """`count` texts of 1 to `longest` characters or words; the same for the same arguments."""
    chance = random.Random(seed)  # noqa: S311 - repeatable on purpose
    kinds = list(KINDS.values())
    for _ in range(count):
        chosen = chance.sample(kinds, chance.randint(1, 3))
        parts = []
        for _ in range(chance.randint(1, longest)):
            if words and chance.random() < 0.4:
                parts.append(chance.choice(words))
            elif chance.random() < 0.02:
                parts.append(
                    chr(chance.choice([chance.randrange(0xD800), chance.randrange(0xE000, 0x110000)]))
                )
            else:
                parts.append(chance.choice(chance.choice(chosen)))
        yield "".join(parts)
