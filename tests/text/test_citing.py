"""The citation machine: any way of cutting a text into pieces gives the same checked answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from answerable.text.citing import Check, CitingMachine, Ended, Found, Release, Sources, Steps
from answerable.types import Sentence

PAGES = {1: "a", 2: "b", 3: "a", 4: "c", 5: "d"}  # 1 and 3 are one page
FRAGMENTS = [
    "The tower is tall", "Costs were flat", "It has 31 locks", "He said \"It leaks. We knew,\" Ito said",
    "Dr. Obi met", "at 9 a.m. on", "3.9 degrees", "e.g. steel", "U.S. Senate", "…", "...", ". . .", "Yippee! shares",
    "d. h. früher", "am 3. Mai", "高さは333.5メートルです。", "今も使われていますか？", "“今天不开门。”我们走了。",
    "هل هذا؟ نعم.", "यह एक है।", "[1]", "[2]", "[7]", "[0]", "[-1]", "[99999999]", "[1, 2]", "[1,2][3]", "[ 4 ]",
    "[1-3]", "[2–4]", "[1-900]", "[5-2]", "【1】", "【2†source】", "【4†L12-L15】", "【4:0†source】", "［3］", "[^1]",
    "[[2]]", "[Source 1]", "[source 2, source 3]", "[１]", "[١]", "**[1]**", "([2])", "(see [1])", "<sup>[3]</sup>",
    "[1], [2]", "[1](https://invented.example/x)", "[[2]](https://e.example/c)", "[words](http://x.example/(y))",
    "![alt](http://i.example/p.png)", "[draft]", "[2024]", "x[1]", "my_rows[2]", "in the interval [0, 1]",
    "`rows[1]`", "``a ` b``", "$[0, 1]$", "$50 million", "$x$", "\\[1\\]", "\\(a[1]\\)", "<think>no [1]</think>",
    "<think>", "</think>", "<https://a.example/>", "<b>", "**bold**", "*", "_", "`", "[", "]", "(", ")", "【", "](",
    "[1", "[Sour", "\"", "”", "«", "\n", "\n\n", "\r\n", "- ", "* ", "1. ", "  - ", "# ", "## Sources", "Sources:",
    "[1]–[3]", "[[1, 2], [3, 4]]", "**bold [1]**", "[[", "–",
    "**References**", "> ", "---", "| a | b [1] |", "|---|---|", "```", "```python\nx[1]\n```", "~~~", "$$",
    "[1]: https://a.example/", "[^1]: note", "[2] Title https://a.example/", "1. City - https://a.example/",
    "Sources of funding", ". ", "! ", "? ", ": ", "; ", ", ", " ", "  ", "\t", "a", "B", "9", "。",
    "\u00a0", "\x0c", "\u2028", "\u3000", "\x00",
]  # fmt: skip
TEXTS = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=3)), max_size=24).map("".join)


@dataclass
class Shown:
    """What a reader saw: text, sentences with what they cite, and where releases ended."""

    text: str = ""
    sentences: list[tuple[Sentence, tuple[tuple[int, int], ...]]] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    checks: list[tuple[str, str, tuple[int, ...]]] = field(default_factory=list)


def drive(steps: Steps, shown: Shown) -> None:
    """Every page but "c" supports all; each sentence must end where the text shown so far ends."""
    reply: Found | None = None
    while True:
        try:
            step = steps.send(reply)
        except StopIteration:
            return
        reply = None
        if isinstance(step, Release):
            shown.text += step.text
            shown.ends.append(len(shown.text))
        elif isinstance(step, Check):
            shown.checks.append((step.text, step.context, step.numbers))
            reply = Found("supported", "", tuple(k for k in step.numbers if PAGES[k] != "c"))
        elif isinstance(step, Ended):
            assert step.sentence.end == len(shown.text)
            assert shown.text[step.sentence.start : step.sentence.end] == step.sentence.text
            shown.sentences.append((step.sentence, step.cited))


def machine() -> CitingMachine:
    return CitingMachine(Sources(5, PAGES.get, {"https://a.example/": 1}.get))


def play(*pieces: str) -> tuple[Shown, CitingMachine]:
    shown, made = Shown(), machine()
    for piece in pieces:
        drive(made.feed(piece), shown)
    drive(made.close(), shown)
    return shown, made


def split(text: str, cuts: list[int]) -> list[str]:
    places = sorted({cut % (len(text) + 1) for cut in cuts})
    return [text[a:b] for a, b in zip([0, *places], [*places, len(text)], strict=True)]


@settings(max_examples=400, deadline=None)
@given(TEXTS, st.lists(st.integers(0, 10_000), max_size=8))
@example("A ![x](y) z.\r\n\r\n| a |\n|-|\n| b [1] |", [3, 14])
@example("The tower is tall\x0c\r0", [])
def test_a_stream_is_shown_as_the_whole_text_is(text: str, cuts: list[int]) -> None:
    whole, first = play(text)

    pieces, second = play(*split(text, cuts))
    letters, third = play(*text)

    assert pieces.text == letters.text == whole.text == first.answer
    assert pieces.sentences == letters.sentences == whole.sentences
    assert pieces.checks == letters.checks == whole.checks
    assert first.pages == second.pages == third.pages


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_what_was_shown_is_never_taken_back_and_never_ends_in_half_a_marker(text: str) -> None:
    shown, made = play(*text)

    assert shown.text == made.answer
    markers = [m.span() for sentence, _ in shown.sentences for m in markers_of(sentence)]
    assert not [(end, span) for end in shown.ends for span in markers if span[0] < end < span[1]]


def markers_of(sentence: Sentence) -> list[re.Match[str]]:
    return [
        match
        for n in sentence.numbers
        for match in re.compile(rf"\[{n}\]").finditer(" " * sentence.start + sentence.text)
    ]


@settings(max_examples=150, deadline=None)
@given(TEXTS)
def test_numbers_count_up_from_one_and_each_belongs_to_one_page(text: str) -> None:
    shown, made = play(text)

    seen: dict[int, str] = {}
    for sentence, cited in shown.sentences:
        assert tuple(n for n, _ in cited) == sentence.numbers
        for n, k in cited:
            assert n <= len(seen) + 1
            assert seen.setdefault(n, PAGES[k]) == PAGES[k]
            assert f"[{n}]" in sentence.text
    assert list(seen.values()) == made.pages


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_sentences_lie_in_order_without_touching(text: str) -> None:
    shown, _ = play(text)

    places = [(sentence.start, sentence.end) for sentence, _ in shown.sentences]
    assert [sentence.index for sentence, _ in shown.sentences] == list(range(len(places)))
    assert places == sorted(places)
    assert all(a[1] <= b[0] for a, b in zip(places, places[1:], strict=False))


@settings(max_examples=100, deadline=None)
@given(TEXTS)
def test_no_link_of_the_writer_is_left_in_the_words(text: str) -> None:
    shown, _ = play(text)

    words = " ".join(s.text for s, _ in shown.sentences)
    prose = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)|\$[^$]*\$|\\[(\[].*?\\[)\]]", "", words, flags=re.DOTALL)
    assert not re.search(r"(?<!\\)\]\(http", prose)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("It is tall [1].", "It is tall[1]."),
        ("It is tall. [1] It is old.", "It is tall[1]. It is old."),
        ("It is tall.[1]It is old.", "It is tall[1]. It is old."),
        ("It is tall [1] and old [2].", "It is tall and old[1][2]."),
        ("It is **tall** **[1]**.", "It is **tall**[1]."),
        ("It is **tall.** [1]", "It is **tall[1].**"),
        ('He called it "tall." [2]', 'He called it "tall[1]."'),
        ("It is tall ([1], [2]).", "It is tall[1][2]."),
        ("It is tall [1], [2].", "It is tall[1][2]."),
        ("It is tall <sup>[1]</sup>.", "It is tall[1]."),
        ("It is tall [Source 1] [source: 2].", "It is tall[1][2]."),
        ("It is tall [1](https://invented.example/a).", "It is tall[1]."),
        ("It is tall [[2]](https://invented.example/a).", "It is tall[1]."),
        ("It is tall [1, 2][^2][2].", "It is tall[1][2]."),
        ("It is tall [1-3].", "It is tall[1][2]."),
        ("It is tall [1–2].", "It is tall[1][2]."),
        ("It is tall [2-900].", "It is tall[1]."),
        ("It is tall [99999999999999999999].", "It is tall."),
        ("It is tall [-2] [0].", "It is tall."),
        ("高いです【1】。古い［2］。", "高いです[1]。古い[2]。"),
        ("It is tall [١] [２] [५].", "It is tall[1][2][3]."),
        ("The report [2024] is a [draft] [1].", "The report [2024] is a [draft][1]."),
        ("Use x[1] and my_rows[2] here [1].", "Use x[1] and my_rows[2] here[1]."),
        ("It is 330 m[1].", "It is 330 m[1]."),
        ("Its symbol is W [1]. Next comes X.", "Its symbol is W[1]. Next comes X."),
        ("A number in the interval [0, 1] is drawn [2].", "A number in the interval [0, 1] is drawn[1]."),
        ("Values $x \\in [1, 2]$ work [1].", "Values $x \\in [1, 2]$ work[1]."),
        ("Escaped \\[1\\] stays [1].", "Escaped \\[1\\] stays[1]."),
        ("See [the tower](http://x.example/y) now.", "See the tower now."),
        ("See [the tower](https://a.example/) now.", "See the tower now[1]."),
        ("See ![a photo](http://x.example/y.png) now.", "See a photo now."),
        ("See <http://x.example/> now.", "See http://x.example/ now."),
        ("<think>Use [2].</think>It is tall [1].", "It is tall[1]."),
        ("<reasoning>\nUse [2].\n</reasoning>\n\nIt is tall [1].", "It is tall[1]."),
        ("It is <think>is it?</think> tall [1].", "It is tall[1]."),
        ("<think>It never ends [1].", ""),
        ("Tags like <think> are odd [1].", "Tags like <think> are odd[1]."),
        ("It is tall [1].\n\n## References\n\n- [1] A page\n- B, https://b.example/\n", "It is tall[1]."),
        ("It is tall [1].\n\n**Sources:**\n1. A page\n\nIt is old [2].", "It is tall[1].\n\nIt is old[2]."),
        ("It is tall [1].\n\n---\n\nSources: [1] https://a.example/ [2] B", "It is tall[1]."),
        ("Sources:\n- Solar leads [1]\n- Wind follows [2]", "Sources:\n- Solar leads[1]\n- Wind follows[2]"),
        ("Quellen der Energie sind Wind und Sonne [1].", "Quellen der Energie sind Wind und Sonne[1]."),
        ("It is tall [1].\n\n[1]: https://a.example/\n[^2]: A note\n  that goes on\n", "It is tall[1]."),
        ("It is tall [1].\n\n[1] A page https://a.example/\n[2] B https://b.example/", "It is tall[1]."),
        ("Fees rise in July.\n[2]\n\nMore.", "Fees rise in July[1].\n\nMore."),
        ("- [1]\n- It is tall [2]", "- It is tall[1]"),
        ("1. It is tall. [1]\n2. It is old. [2]", "1. It is tall[1].\n2. It is old[2]."),
        ("> It is tall [1].", "> It is tall[1]."),
        ("# Tall [1]\nIt is.", "# Tall[1]\nIt is."),
        ("A line\r\ngoes on [1].\r\n\r\nNext.", "A line\ngoes on[1].\n\nNext."),
        ("| A | B |\n|---|---|\n| x [4] | 5 m [1] |", "| A | B |\n|---|---|\n| x | 5 m[1] |"),
        ("```\nx = a[1]\n<think>\n```\nIt is [1].", "```\nx = a[1]\n<think>\n```\nIt is[1]."),
        ("Call `a[1]` or `<think>` now [1].", "Call `a[1]` or `<think>` now[1]."),
        ("It is tall [1[7]] now.", "It is tall [1 now."),
        ("It is tall [<think>x</think>1] now.", "It is tall [1 now."),
        ("It is tall [![1](https://i.example/p.png)] now.", "It is tall [1 now."),
        ("It is tall [1]–[3].", "It is tall[1][2]."),
        ("It is tall [1] - [2], [5].", "It is tall[1][2][3]."),
        ("It is tall [3]-[1].", "It is tall[1]."),
        ("It is tall [1]-900.", "It is tall -900[1]."),
        ("- **Tall [1]**: it is very tall [2].", "- **Tall**: it is very tall[1][2]."),
        ("It is *tall [1]* and __old [2]__ now.", "It is *tall* and __old__ now[1][2]."),
        ("The matrix [[1, 2], [3, 4]] is here [1].", "The matrix [[1, 2], [3, 4]] is here[1]."),
        ("The set [1, 2, 3] has members [2].", "The set [1, 2, 3] has members[1]."),
        ("It is tall [1", "It is tall"),
        ("It is tall [1](https://invented.exa", "It is tall[1]"),
        ("It is tall [Sour", "It is tall"),
        ("", ""),
        ("\n\n  \n", ""),
    ],
)  # fmt: skip
def test_text_as_a_model_writes_it_and_as_it_is_shown(text: str, answer: str) -> None:
    assert play(text)[0].text == answer


def test_items_are_checked_with_their_stem_also_when_nested() -> None:
    text = "The kit contains:\n- tools:\n  - a hammer [1]\n- a pump [2]\n\nA gauge is not part of it [1]."

    shown, _ = play(text)

    assert [(words, context) for words, context, _ in shown.checks] == [
        ("a hammer", "The kit contains tools"),
        ("a pump", "The kit contains"),
        ("A gauge is not part of it.", ""),
    ]


def test_markers_of_a_row_stand_for_the_cells_they_follow() -> None:
    head = "| Kite | Span | Mass |\n|---|---|---|\n"

    last, _ = play(head + "| Merlin | 5.2 m | 15 kg [1] |")
    label, _ = play(head + "| Merlin [1] | 5.2 m | 15 kg |")
    middle, _ = play(head + "| Merlin | 5.2 m [1] | 15 kg |")

    assert [check[0] for check in last.checks] == [check[0] for check in label.checks] == ["Merlin 5.2 m 15 kg"]
    assert [check[0] for check in middle.checks] == ["Merlin 5.2 m", "Merlin 15 kg"]


def test_a_machine_that_was_left_at_a_check_makes_it_again() -> None:
    made, shown = machine(), Shown()
    steps = made.feed("It is tall [1]. And so on")
    while not isinstance(steps.send(None), Check):
        pass
    steps.close()
    assert made.answer == "It is tall"

    shown.text = made.answer
    drive(made.close(), shown)

    assert made.answer == "It is tall[1]. And so on"


def test_a_long_answer_in_small_pieces_costs_no_more_than_its_length() -> None:
    """A piece looks at the line it belongs to, not at all that came before."""
    made, shown = machine(), Shown()
    for _ in range(300):
        for piece in re.findall(r".{1,4}", "The tower is 330 metres tall [1]. It was built in 1889 [2]. "):
            drive(made.feed(piece), shown)
        drive(made.feed("\n\n"), shown)
        assert len(made._raw) < 200
