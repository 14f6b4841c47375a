"""What the names of the elements above a block and its own words are worth: weights learned for each, one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from lxml.html import HtmlElement
from numpy.typing import NDArray

from answerable.providers.reading.naming import called
from answerable.providers.reading.walker import Raw

Signs = frozenset[str]
_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_NAME_CHARS, _ROLE_CHARS = 300, 100
_NEAR = ("own", "near", "near", "over", "over", "over")  # how far up, an element each
_EVER = 400  # words of all elements above; no page that is not made to be monstrous has as many
_FIRST, _PAIRED, _SHORT, _HEADING = 15, 8, 6, 10  # words


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The worth of each sign in log odds."""

    worths: dict[str, float]
    bias: float

    def worth(self, blocks: Sequence[Signs]) -> NDArray[np.float32]:
        """Of each block, by its signs; one that is not known is worth nothing."""
        known, held = self.worths, dict[Signs, float]()
        for signs in blocks:
            if signs not in held:
                held[signs] = self.bias + sum(map(known.__getitem__, signs & known.keys()))
        return np.array([held[signs] for signs in blocks], np.float32)


class _Names:
    """The words of classes, ids, roles and tags of elements, each element looked at once."""

    def __init__(self) -> None:
        self._named: dict[tuple[str, str, str], dict[str, Signs]] = {}  # elements of the same names share their signs
        self._own: dict[HtmlElement, dict[str, Signs]] = {}
        self._ever: dict[HtmlElement, Signs] = {}
        self._signs: dict[HtmlElement, Signs] = {}

    def signs(self, element: HtmlElement) -> Signs:
        """What it and those above it are called, and about how far up."""
        if (known := self._signs.get(element)) is not None:
            return known
        found = set(self._above(element))
        at: HtmlElement | None = element
        for where in _NEAR:
            if at is None:
                break
            found |= self._words(at)[where]
            at = at.getparent()
        self._signs[element] = signs = frozenset(found)
        return signs

    def _words(self, element: HtmlElement) -> dict[str, Signs]:
        """Its words as signs of each distance."""
        if (known := self._own.get(element)) is not None:
            return known
        names = called(element)[:_NAME_CHARS]
        said = (element.get("itemprop") or element.get("role") or element.get("data-testid") or "")[:_ROLE_CHARS]
        key = (element.tag, names, said)
        if key not in self._named:
            words = {word.lower() for word in _NAME_WORD.findall(f"{names} {said}") if len(word) > 1}
            words.add(f"<{element.tag}>")
            self._named[key] = {w: frozenset([f"{w} {word}" for word in words]) for w in (*_NEAR, "ever")}
        self._own[element] = found = self._named[key]
        return found

    def _above(self, element: HtmlElement) -> Signs:
        chain = []
        at: HtmlElement | None = element
        while at is not None and at not in self._ever:
            chain.append(at)
            at = at.getparent()
        ever = self._ever[at] if at is not None else frozenset[str]()
        for below in reversed(chain):
            words = self._words(below)["ever"]
            if len(ever) < _EVER and not words <= ever:  # else shared, however deep a page nests
                ever |= words
            self._ever[below] = ever
        return ever


def name_signs(blocks: Sequence[Raw]) -> list[Signs]:
    names, nothing = _Names(), frozenset[str]()
    return [nothing if block.inside is None else names.signs(block.inside) for block in blocks]


def word_signs(blocks: Sequence[Raw], words: Sequence[list[str]], sections: Sequence[int]) -> list[Signs]:
    """What each block says first, how long it is, and what the heading over it says; `words` are lower-cased."""
    found = []
    for block, told, section in zip(blocks, words, sections, strict=True):
        signs = {f"kind {block.kind}", f"size {min(9, len(told).bit_length())}"}
        signs.update("says " + ("#" if word.isdigit() else word) for word in told[:_FIRST])
        signs.update(f"says {word} {after}" for word, after in zip(told[:_PAIRED], told[1:_PAIRED], strict=False))
        if len(told) <= _SHORT:
            signs.update(f"short {word}" for word in told)
        if section >= 0:
            signs.update(f"under {word}" for word in words[section][:_HEADING])
        found.append(frozenset(signs))
    return found
