"""What a tokenizer.txt means by its document: the algorithm of each kind (clauses ``tokenizer-txt.*``)."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable, Mapping, Optional, Sequence, Tuple

from ...core.decoders.byte_fallback import ByteFallback
from ...core.decoders.byte_level import ByteLevel as ByteLevelDecoder
from ...core.decoders.fuse import Fuse
from ...core.decoders.replace import Replace as ReplaceDecoder
from ...core.decoders.sequence import Sequence as Decoders
from ...core.decoders.stored_bytes import StoredBytes
from ...core.decoders.strip import Strip as StripDecoder
from ...core.decoders.wordpiece import WordPiece as WordPieceDecoder
from ...core.description import AddedToken, Description, Device, Model, PostProcessor
from ...core.description import Warning as Oddity
from ...core.errors import FormatError
from ...core.matching import TextPattern
from ...core.models.bpe import BPE
from ...core.models.bpe_merges import Gathered
from ...core.models.byte_strings import ByteStrings
from ...core.models.pieces import Piece, PieceColumns, PieceTable, pieces_of
from ...core.models.rank_merge import RankMerge
from ...core.models.scored_pieces import ScoredPieces
from ...core.models.wordpiece import WordPiece
from ...core.normalizers.bert import BertNormalizer
from ...core.normalizers.prepend import Prepend
from ...core.normalizers.replace import Replace
from ...core.normalizers.sequence import Sequence as Normalizers
from ...core.packed import places
from ...core.postprocessors.id_frame import IdFrame
from ...core.pretokenizers.bert import BertPreTokenizer
from ...core.pretokenizers.byte_level import ByteLevel
from ...core.pretokenizers.sequence import Sequence as PreTokenizers
from ...core.pretokenizers.split import Split
from .contents import Body, Contents, Merged, MergeLines, Pieces, Strings, Words

MARK = "\u2581"
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|"
    r" ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
"""Words of a HUGGINGFACE file: the document names a pattern and does not give it, so this is Qwen's."""


def describe(contents: Contents) -> Description:
    """FormatError for merges that name no token."""
    return framed(_bare(contents.body), contents)


def framed(bare: Description, contents: Contents) -> Description:
    """With the header: special tokens are found in the text, the prefix stands before it."""
    added, notes = _added_tokens(contents.lists, bare.model)
    return replace(
        bare,
        post_processor=_frame(contents.lists, bare.model),
        added_tokens=added,
        device=contents.lists,
        warnings=(*contents.notes, *notes),
    )


def _added_tokens(lists: Device, model: Model) -> Tuple[Tuple[AddedToken, ...], Tuple[Oddity, ...]]:
    """One token for each special id; an id without text is a warning."""
    added, notes = [], []
    for place, index in enumerate(dict.fromkeys(lists.special_ids)):
        content = model.id_to_token(index)
        if content and not _is_escaped(content):
            added.append(AddedToken(index, content, normalized=False, special=True))
        else:
            notes.append(Oddity(f"header.ids[{place}]", f"{index} is no token that a text can hold"))
    return tuple(added), tuple(notes)


def _is_escaped(content: str) -> bool:
    """Whether it holds bytes that are not UTF-8."""
    return any("\udc80" <= char <= "\udcff" for char in content)


def _frame(lists: Device, model: Model) -> Optional[PostProcessor]:
    if not lists.prefix_ids:
        return None
    tokens = tuple(model.id_to_token(index) or "" for index in lists.prefix_ids)
    return IdFrame((*lists.prefix_ids, None), (*tokens, ""))


def _bare(body: Body) -> Description:
    return _KINDS[type(body)](body)


def _scored(body: Pieces) -> Description:
    """Blanks are written as U+2581; one stands before every segment, and is taken off when decoding."""
    return Description(
        ScoredPieces(PieceTable(pieces_of(PieceColumns(map(marked, body.pieces))))),
        normalizer=marking(),
        decoder=Decoders(
            (
                ReplaceDecoder(TextPattern("String", MARK), " "),
                ByteFallback(),
                Fuse(),
                StripDecoder(" ", 1, 0),
            )
        ),
    )


def marking() -> Normalizers:
    return Normalizers((Prepend(MARK), Replace(TextPattern("String", " "), MARK)))


def marked(piece: Piece) -> Piece:
    """Exporters write the blank of a piece in either way (``tokenizer-txt.sentencepiece.blanks``)."""
    return piece._replace(text=piece.text.replace(" ", MARK))


def _ranked(body: Strings) -> Description:
    return Description(RankMerge(ByteStrings(body.strings)), decoder=StoredBytes(markers=False))


def _word_pieces(body: Words) -> Description:
    return Description(
        WordPiece(vocabulary(body.words)),
        normalizer=BertNormalizer(
            clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=True
        ),
        pre_tokenizer=BertPreTokenizer(),
        decoder=WordPieceDecoder("##", cleanup=True),
    )


def vocabulary(words: Sequence[str]) -> Mapping[str, int]:
    """Word → place; of equal words the last one."""
    return places(words, last=True)


def _merging(body: Merged) -> Description:
    split = Split(TextPattern("Regex", PATTERN), "Isolated", invert=False)
    return Description(
        merging(body),
        pre_tokenizer=PreTokenizers((split, _bytes())),
        decoder=ByteLevelDecoder(add_prefix_space=False, trim_offsets=False, use_regex=False),
    )


def _bytes() -> ByteLevel:
    return ByteLevel(add_prefix_space=False, trim_offsets=False, use_regex=False)


def merging(body: Merged) -> BPE:
    """FormatError at the line of a merge that names or makes no token."""
    vocab = vocabulary(body.tokens)
    found = Gathered(vocab)
    try:
        for left, right in body.merges:
            found.add(left, right)
        return BPE(vocab, found.merges())
    except (KeyError, FormatError) as error:
        raise _placed(body, vocab) or error from None


def _placed(body: Merged, vocab: Mapping[str, int]) -> Optional[FormatError]:
    """The first merge that names or makes no token, with its place."""
    for place, (left, right) in enumerate(body.merges):
        wanted = next((token for token in (left, right, left + right) if token not in vocab), None)
        if wanted is not None:
            offset = body.merges.offset(place) if isinstance(body.merges, MergeLines) else None
            return FormatError(f"{wanted!r} is no token", field=f"merges[{place}]", offset=offset)
    return None


_KINDS: Mapping[type, Callable[..., Description]] = {
    Pieces: _scored,
    Strings: _ranked,
    Words: _word_pieces,
    Merged: _merging,
}
