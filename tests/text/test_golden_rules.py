"""The English golden rules of sentence splitting, measured as a set.

The 48 texts are those by which Kevin S. Dias's Pragmatic Segmenter and its port pySBD (both MIT) are measured. A bar
marks each boundary, with the white space around it dropped.
"""

from __future__ import annotations

from answerable.text.sentences import split_sentences

RULES = (
    "Hello World.|My name is Jonas.",
    "What is your name?|My name is Jonas.",
    "There it is!|I found it.",
    "My name is Jonas E. Smith.",
    "Please turn to p. 55.",
    "Were Jane and co. at the party?",
    "They closed the deal with Pitt, Briggs & Co. at noon.",
    "Let's ask Jane and co.|They should know.",
    "They closed the deal with Pitt, Briggs & Co.|It closed yesterday.",
    "I can see Mt. Fuji from here.",
    "St. Michael's Church is on 5th st. near the light.",
    "That is JFK Jr.'s book.",
    "I visited the U.S.A. last year.",
    "I live in the E.U.|How about you?",
    "I live in the U.S.|How about you?",
    "I work for the U.S. Government in Virginia.",
    "I have lived in the U.S. for 20 years.",
    "At 5 a.m. Mr. Smith went to the bank.|He left the bank at 6 P.M.|Mr. Smith then went to the store.",
    "She has $100.00 in her bag.",
    "She has $100.00.|It is in her bag.",
    "He teaches science (He previously worked for 5 years as an engineer.) at the local University.",
    "Her email is Jane.Doe@example.com.|I sent her an email.",
    "The site is: https://www.example.50.com/new-site/awesome_content.html.|Please check it out.",
    "She turned to him, 'This is great.' she said.",
    'She turned to him, "This is great." she said.',
    'She turned to him, "This is great."|She held the book out to show him.',
    "Hello!!|Long time no see.",
    "Hello??|Who is there?",
    "Hello!?|Is that you?",
    "Hello?!|Is that you?",
    "1.) The first item|2.) The second item",
    "1.) The first item.|2.) The second item.",
    "1) The first item|2) The second item",
    "1) The first item.|2) The second item.",
    "1. The first item|2. The second item",
    "1. The first item.|2. The second item.",
    "• 9. The first item|• 10. The second item",
    "⁃9. The first item|⁃10. The second item",
    "a. The first item|b. The second item|c. The third list item",
    "You can find it at N°. 1026.253.553.|That is where the treasure is.",
    "She works at Yahoo! in the accounting department.",
    "We make a good team, you and I.|Did you see Albert I. Jones yesterday?",
    "Thoreau argues that by simplifying one’s life, “the laws of the universe will appear less complex. . . .”",
    '"Bohr [...] used the analogy of parallel stairways [...]" (Smith 55).',
    "If words are left off at the end of a sentence, and that is all that is omitted, indicate the omission with "
    "ellipsis marks (preceded and followed by a space) and then indicate the end of the sentence with a period . . . .|"
    "Next sentence.",
    "I never meant that....|She left the store.",
    "I wasn’t really ... well, what I mean...see . . . what I'm saying, the thing is . . . I didn’t mean it.",
    "One further habit which was somewhat weakened . . . was that of combining words into self-interpreting compounds.|"
    ". . . The practice was not abandoned. . . .",
)
MISSED = {
    RULES[-1]: "four spaced dots end the sentence that they cut short; the rule begins the next one with three of them",
}


def sentences(text: str) -> list[str]:
    return [" ".join(text[start:end].split()) for start, end in split_sentences(text)]


def test_no_rule_but_those_named_is_missed() -> None:
    missed = [rule for rule in RULES if sentences(rule.replace("|", " ")) != rule.split("|")]

    assert len(RULES) == 48
    assert missed == list(MISSED)
