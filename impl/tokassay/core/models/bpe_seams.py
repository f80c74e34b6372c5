"""When may two tokens stand side by side in a BPE result? (clause ``model.bpe.pair-validity``)

**Theorem.** Let t1..tn be tokens with BPE(ti ti+1) = [ti, ti+1] for each i. Then
BPE(t1...tn) = [t1..tn], and every BPE result is such a sequence. No assumption on ranks.
*Proof.* Take the first merge over the whole that crosses some border i. Until then every segment
changed by its own merges only, and a segment's next merge depends on that segment alone. ti and
ti+1 take turns by least (rank, position), in the whole as in the pair alone, so the pair alone
reaches the same joint state. There the crossing merge was least in the whole, so it is least in
the pair: it happens there too, against the assumption. The converse is the same argument
restricted to two neighbours, across whose border nothing was merged.

**Test without merging.** Call a token *rising* when each merge inside it ranks above the merges
inside its two parts. Its own merges then happen in rising order, so between two rising tokens x
and y a merge of an edge symbol of x with an edge symbol of y happens iff at some moment both
exist and the crossing rank is less than the rank that ends the left one, and not above the rank
that ends the right one (of equal ranks the leftmost goes first: x's own merge, then the crossing
one, then y's). Undoing the later of the two last merges again and again visits all moments.
Tokens that are not rising are left to the merge loop itself, on the two texts joined.
"""

from __future__ import annotations

from typing import Callable, Dict, List, Mapping, NamedTuple, Optional

from .bpe_merge import NO_RANK, Merges

MOST_SEAMS = 1 << 17
LEAF, NOT_RISING = -1, -2
NEVER = 1 << 62


class Tree(NamedTuple):
    """The last merge of a token: its rank (LEAF for a single symbol, NOT_RISING) and the two parts."""

    rank: int
    left: int
    right: int


class Trees(Dict[int, Optional[Tree]]):
    """Id → how BPE makes that token, None when BPE of its text is something else (one per entry at most)."""

    def __init__(self, vocab: Mapping[str, int], merges: Merges, encode: Callable[[str], List[int]]) -> None:
        super().__init__()
        self.vocab, self.merges, self.encode = vocab, merges, encode
        self.texts = dict(zip(vocab.values(), vocab))

    def __missing__(self, token: int) -> Optional[Tree]:
        text = self.texts[token]
        tree: Optional[Tree] = Tree(LEAF, token, token) if len(text) == 1 else None
        if tree is None:
            steps = self._last_steps(text, token)
            tree = next(filter(self._is_made_by, steps), None)
            if tree is None and steps and self.encode(text) == [token]:
                tree = Tree(NOT_RISING, token, token)
        self[token] = tree
        return tree

    def _last_steps(self, text: str, token: int) -> List[Tree]:
        """Every merge in the list that makes the token."""
        entry, ranks = self.vocab.get, self.merges.ranks
        steps = []
        for cut in range(1, len(text)):
            left = entry(text[:cut])
            right = None if left is None else entry(text[cut:])
            if left is None or right is None:
                continue
            rank = ranks[left].get(right, NO_RANK)
            if rank != NO_RANK and self.merges.made[rank] == token:
                steps.append(Tree(rank, left, right))
        return steps

    def _is_made_by(self, step: Tree) -> bool:
        """Are both parts valid and rising below this rank, and does nothing join them earlier?"""
        left, right = self[step.left], self[step.right]
        if left is None or right is None or NOT_RISING in (left.rank, right.rank):
            return False
        return max(left.rank, right.rank) < step.rank and not self.joined(step.left, step.right, step.rank)

    def joined(self, x: int, y: int, until: int = NEVER) -> bool:
        """Does a merge across the border of two rising tokens happen before rank `until`?"""
        ranks = self.merges.ranks
        (x_made, _, x_edge), (y_made, y_edge, _) = self[x], self[y]  # type: ignore[misc]
        x_end = y_end = until
        while True:
            rank = ranks[x].get(y, NEVER)
            if rank < x_end and rank <= y_end:
                return True
            if x_made > y_made:
                x_end, x = x_made, x_edge
                x_made, _, x_edge = self[x]  # type: ignore[misc]
            elif y_made >= 0:
                y_end, y = y_made, y_edge
                y_made, y_edge, _ = self[y]  # type: ignore[misc]
            else:
                return False


class Seams(Dict[int, bool]):
    """``left * width + right`` → would BPE merge across the border of these two valid tokens?"""

    def __init__(self, vocab: Mapping[str, int], merges: Merges, encode: Callable[[str], List[int]]) -> None:
        super().__init__()
        self.trees = Trees(vocab, merges, encode)

    def __missing__(self, key: int) -> bool:
        left, right = divmod(key, self.trees.merges.width)
        trees = self.trees
        if NOT_RISING in (trees[left].rank, trees[right].rank):  # type: ignore[union-attr]
            joined = trees.encode(trees.texts[left] + trees.texts[right]) != [left, right]
        else:
            joined = trees.joined(left, right)
        if len(self) >= MOST_SEAMS:
            self.clear()
        self[key] = joined
        return joined
