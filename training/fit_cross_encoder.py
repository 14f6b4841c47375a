"""Train the small cross-encoder that tells whether a sentence answers a question, and write it as int8 ONNX.

    python training/fit_cross_encoder.py --weights PATH/TO/model --out src/answerable/models/cross_encoder

PATH/TO/model holds the published weights and tokenizer of all-MiniLM-L6-v2 (see make_minilm.py). It starts from them:
the token table stays; the layers, and a head on the mean of each side's tokens, are trained on the questions in
training/asked. They were written for this: pages in sentences and rows, alone or in clusters of pages that are easy to
confuse, with questions as people put them and the places of what answers. One half of the loss sets the sentences of a
page in order, the other makes each score a chance. Then it learns what a difference counts (twins.py), and from
sentences that the engine found on the webs in training/read. The clusters of HELD are not learned from: they are kept
for measuring. Needs an environment of its own: torch, onnx, onnxruntime, safetensors,
tokenizers; an hour and a half on two cores that know bfloat16.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.numpy import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn

from cross_encoder_graph import export
from twins import Twins, exchanged, written

ASKED = Path(__file__).parent / "asked"
FURTHER = ASKED / "further"
HELD = frozenset({"clusters_k.jsonl.gz", "clusters_l.jsonl.gz"})
NEWEST = "clusters_m.jsonl.gz"  # learned from in the last run only
SEED, THREADS = 0, 2
LAYERS, HEADS, WIDTH, INNER, HIDDEN = 6, 12, 384, 1536, 192
MAX_TOKENS, QUESTION_TOKENS = 96, 40  # as providers/reranking/cross_encoder.py reads
# Runs, each with a rate that rises and falls: what of `asked` each learns from, and how often it sees it.
RUNS = (("[!c]*|clusters_[abcd]", 1.0), ("[!c]*|clusters_[!m]", 2.0))
BATCH, RATE, HEAD_RATE, DECAY, WARM_UP = 12, 6e-5, 3.6e-4, 0.9, 0.06  # DECAY: of the rate, a layer down
HARD, OTHERS, RIGHT = 4, 2, 2  # sentences beside the question: of the likest twice as many, other ones, right ones
BUCKET = 20  # batches that are sorted by length together
POSITIVE = 2.5  # what a sentence that answers weighs against one that does not
POSITIVE_TWIN, TWIN = 1.2, 0.5  # the same among twins; what one of two twins weighs against a question
ORDER = 0.5  # weight of the order within a page
START, SEPARATOR = 101, 102
PARTS = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "o": "attention.output.dense",
    "n1": "attention.output.LayerNorm",
    "i": "intermediate.dense",
    "f": "output.dense",
    "n2": "output.LayerNorm",
}
POINTING = re.compile(
    r"(?:it|its|he|she|his|her|they|their|this|that|these|those|such|but|however|also|there|here|then|and)\b", re.I
)


@dataclass(frozen=True)
class Further:
    """A run on what the network learned: how many questions of `asked`, whether all of the newest, how many names
    exchanged, and which shares of what was found and of the twins that were written."""

    asked: int
    newest: bool
    names: int
    found: float
    twins: float


THEN = (Further(2500, False, 4000, 1.0, 1.0), Further(1500, True, 1000, 0.5, 0.75))
THEN_RATE, THEN_HEAD_RATE = 3e-5, 1.2e-4
LATER = 0.7  # share of the weights after these runs in their mean with those before (WiSE-FT, Wortsman et al. 2022)


@dataclass(frozen=True)
class Asked:
    """A question with the sentences of its pages, the places of those that answer and of the others, likest first."""

    question: str
    texts: tuple[str, ...]
    right: tuple[int, ...]
    wrong: tuple[int, ...]


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.q, self.k, self.v, self.o = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.i, self.f = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.n1, self.n2 = nn.LayerNorm(WIDTH, 1e-12), nn.LayerNorm(WIDTH, 1e-12)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        size, tokens, _ = x.shape
        q, k, v = (part(x).view(size, tokens, HEADS, -1).transpose(1, 2) for part in (self.q, self.k, self.v))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.n1(x + self.drop(self.o(mixed.transpose(1, 2).reshape(size, tokens, WIDTH))))
        return self.n2(x + self.drop(self.f(F.gelu(self.i(x)))))


class Network(nn.Module):
    def __init__(self, weights: dict[str, np.ndarray]) -> None:
        super().__init__()
        held = {name: torch.from_numpy(value.copy()) for name, value in weights.items()}
        self.words = held["embeddings.word_embeddings.weight"]
        self.places = held["embeddings.position_embeddings.weight"]
        self.segments = held["embeddings.token_type_embeddings.weight"]
        self.scale, self.shift = held["embeddings.LayerNorm.weight"], held["embeddings.LayerNorm.bias"]
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        for number, layer in enumerate(self.layers):
            for own, published in PARTS.items():
                part = getattr(layer, own)
                part.weight.data = held[f"encoder.layer.{number}.{published}.weight"]
                part.bias.data = held[f"encoder.layer.{number}.{published}.bias"]
        self.inner, self.outer, self.drop = nn.Linear(4 * WIDTH, HIDDEN), nn.Linear(HIDDEN, 1), nn.Dropout(0.1)

    def states(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        x = self.words[ids] + self.places[: ids.shape[1]] + self.segments[segments]
        x = F.layer_norm(x, (WIDTH,), self.scale, self.shift, 1e-12)
        for layer in self.layers:
            x = layer(x, mask[:, None, None, :])
        return x

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            x = self.states(ids, segments, mask)
            return self.judged(x, segments, mask).float()

    def judged(self, x: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        asked, told = ((mask & (segments == side)).unsqueeze(-1).float() for side in (0, 1))
        one, other = ((x * side).sum(1) / side.sum(1) for side in (asked, told))
        both = torch.cat([one, other, (one - other).abs(), one * other], -1)
        return self.outer(self.drop(torch.tanh(self.inner(self.drop(both))))).squeeze(-1)


def of_asked(path: Path) -> Iterator[tuple[str, list[str], set[int]]]:
    """Question, texts and the places of those that answer. A line is a page, or a cluster of them."""
    held = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for told in map(json.loads, held.decode().splitlines()):
        starts, texts = [], []
        for page in told.get("pages", [told]):
            starts.append(len(texts))
            texts += on_page(page["title"], page["sentences"])
        for asked in told["questions"]:
            places = [place if isinstance(place, list) else [0, place] for place in asked["a"]]
            yield asked["q"], texts, {starts[page] + sentence for page, sentence in places}


def on_page(title: str, sentences: Sequence[str]) -> list[str]:
    """Each as the engine gives it to the model: behind the title, a pointing one after the sentence before it."""
    texts = []
    for k, sentence in enumerate(sentences):
        before = f"{sentences[k - 1][-200:]} " if k and POINTING.match(sentence) else ""
        texts.append(f"{title[:120]}: {before}{sentence[:500]}")
    return texts


class Likest:
    """The sentences that look most like an answer to the published model, which are the hard ones."""

    def __init__(self, network: Network, tokenizer: Tokenizer) -> None:
        self.network, self.tokenizer = network, tokenizer
        self.known: dict[str, Tensor] = {}

    def of(self, question: str, texts: Sequence[str], right: set[int]) -> Asked:
        asked = self.vector(question)
        wrong = [k for k in range(len(texts)) if k not in right]
        wrong.sort(key=lambda k: -float(asked @ self.vector(texts[k])))
        return Asked(question, tuple(texts), tuple(sorted(right)), tuple(wrong))

    @torch.no_grad()
    def vector(self, text: str) -> Tensor:
        if text not in self.known:
            ids = torch.tensor([self.tokenizer.encode(text).ids[:MAX_TOKENS]])
            mask = torch.ones_like(ids, dtype=torch.bool)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                x = self.network.states(ids, torch.zeros_like(ids), mask)
            self.known[text] = F.normalize(x.float().mean(1), dim=-1)[0]
        return self.known[text]


Pair = tuple[list[int], list[int]]  # ids, segments


def pair_of(tokenizer: Tokenizer, question: str, text: str) -> Pair:
    asked = tokenizer.encode(question, add_special_tokens=False).ids[:QUESTION_TOKENS]
    told = tokenizer.encode(text, add_special_tokens=False).ids[: MAX_TOKENS - 3 - len(asked)]
    ids = [START, *asked, SEPARATOR, *told, SEPARATOR]
    return ids, [0] * (len(asked) + 2) + [1] * (len(told) + 1)


def padded(pairs: Sequence[Pair]) -> tuple[Tensor, Tensor, Tensor]:
    longest = max(len(ids) for ids, _ in pairs)
    ids = torch.tensor([ids + [0] * (longest - len(ids)) for ids, _ in pairs])
    segments = torch.tensor([segments + [0] * (longest - len(segments)) for _, segments in pairs])
    return ids, segments, torch.tensor([[True] * len(ids) + [False] * (longest - len(ids)) for ids, _ in pairs])


def picked(asked: Asked) -> tuple[list[str], list[bool]]:
    """Other ones each time."""
    hard = random.sample(asked.wrong[: 2 * HARD], min(HARD, len(asked.wrong)))
    rest = [k for k in asked.wrong if k not in hard]
    right = random.sample(asked.right, min(RIGHT, len(asked.right)))
    kept = [*right, *hard, *random.sample(rest, min(OTHERS, len(rest)))]
    return [asked.texts[k] for k in kept], [k in asked.right for k in kept]


Group = tuple[list[Pair], list[bool], bool]  # of one question; whether it is one of twins
Lesson = Asked | Twins


def groups_of(lesson: Lesson, tokenizer: Tokenizer) -> list[Group]:
    if isinstance(lesson, Asked):
        texts, right = picked(lesson)
        return [([pair_of(tokenizer, lesson.question, text) for text in texts], right, False)]
    one, other = lesson.text, lesson.other_text
    return [
        ([pair_of(tokenizer, lesson.question, text) for text in (one, other)], [True, False], True),
        ([pair_of(tokenizer, lesson.other_question, text) for text in (other, one)], [True, False], True),
    ]


Batch = list[list[Group]]  # a lesson each


def batches(data: Sequence[Lesson], tokenizer: Tokenizer) -> list[Batch]:
    """All lessons once, those of like length together."""
    order, found = random.sample(data, len(data)), []
    for start in range(0, len(order), BATCH * BUCKET):
        lessons = [groups_of(lesson, tokenizer) for lesson in order[start : start + BATCH * BUCKET]]
        lessons.sort(key=lambda groups: max(len(ids) for pairs, _, _ in groups for ids, _ in pairs))
        found += [lessons[k : k + BATCH] for k in range(0, len(lessons), BATCH)]
    random.shuffle(found)
    return found


def train(
    network: Network,
    data: Sequence[Lesson],
    tokenizer: Tokenizer,
    epochs: float,
    rate: float = RATE,
    head_rate: float = HEAD_RATE,
) -> None:
    steps = int(epochs * len(data) / BATCH)
    groups = [
        {"params": list(layer.parameters()), "full": rate * DECAY ** (LAYERS - 1 - k)}
        for k, layer in enumerate(network.layers)
    ]
    groups.append({"params": [*network.inner.parameters(), *network.outer.parameters()], "full": head_rate})
    optimiser = torch.optim.AdamW(groups, weight_decay=0.01)
    network.train()
    began, waiting, lately = time.perf_counter(), list[Batch](), 0.0
    for step in range(1, steps + 1):
        waiting = waiting or batches(data, tokenizer)
        share = min(1.0, step / (WARM_UP * steps)) * max(0.02, 1 - step / steps)
        for group in optimiser.param_groups:
            group["lr"] = group["full"] * share
        loss = loss_of(network, waiting.pop())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([p for group in groups for p in group["params"]], 1.0)
        optimiser.step()
        lately += loss.item()
        if step % 100 == 0:
            print(f"{step}/{steps} loss {lately / 100:.3f} {time.perf_counter() - began:.0f} s", flush=True)
            lately = 0.0


def loss_of(network: Network, batch: Batch) -> Tensor:
    groups = [group for lesson in batch for group in lesson]
    scores = network(*padded([pair for pairs, _, _ in groups for pair in pairs]))
    total, at = torch.zeros(()), 0
    for pairs, truth, twin in groups:
        own, right = scores[at : at + len(pairs)], torch.tensor(truth).float()
        at += len(pairs)
        positive = POSITIVE_TWIN if twin else POSITIVE
        loss = F.binary_cross_entropy_with_logits(own, right, weight=torch.where(right > 0, positive, 1.0))
        if any(truth) and not all(truth):
            loss = loss - ORDER * (torch.log_softmax(own, 0) * right / right.sum()).sum()
        total = total + loss * (TWIN if twin else 1.0)
    return total / len(batch)


def found_on_webs() -> list[Asked]:
    """Questions with the sentences that the engine chose from, likest first."""
    lessons = []
    for line in gzip.decompress((FURTHER / "found.jsonl.gz").read_bytes()).decode().splitlines():
        told = json.loads(line)
        texts, right = (*told["right"], *told["wrong"]), len(told["right"])
        lessons.append(Asked(told["q"], texts, tuple(range(right)), tuple(range(right, len(texts)))))
    return lessons


def further(run: Further, files: dict[Path, list[Asked]]) -> list[Lesson]:
    older = [one for path, asked in files.items() if path.name != NEWEST for one in asked]
    newest = files[ASKED / NEWEST] if run.newest else []
    found, twins = found_on_webs(), list(written(FURTHER / "twins.jsonl.gz"))
    answers = [(one.question, one.texts[random.choice(one.right)], one.texts) for one in older if one.right]
    return [
        *random.sample(older, run.asked),
        *newest,
        *random.sample(found, int(run.found * len(found))),
        *random.sample(twins, int(run.twins * len(twins))),
        *exchanged(answers, run.names),
    ]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--weights", type=Path, required=True, help="folder with model.safetensors and tokenizer.json")
    options.add_argument("--out", type=Path, required=True)
    given = options.parse_args()
    torch.manual_seed(SEED)
    random.seed(SEED)
    torch.set_num_threads(THREADS)
    began = time.perf_counter()
    tokenizer = Tokenizer.from_file(str(given.weights / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    published = load_file(str(given.weights / "model.safetensors"))
    network = Network(published).eval()
    likest = Likest(Network(published).eval(), tokenizer)
    files = {p: [likest.of(*one) for one in of_asked(p)] for p in sorted(ASKED.glob("*.jsonl*")) if p.name not in HELD}
    for names, epochs in RUNS:
        data = [one for p, asked in files.items() if any(p.match(f"{n}*") for n in names.split("|")) for one in asked]
        print(f"{len(data)} questions, {time.perf_counter() - began:.0f} s", flush=True)
        train(network, data, tokenizer, epochs)
    before = {name: value.clone() for name, value in network.state_dict().items()}
    for run in THEN:
        train(network, further(run, files), tokenizer, 1.0, THEN_RATE, THEN_HEAD_RATE)
    after = network.state_dict()
    network.load_state_dict({name: (1 - LATER) * value + LATER * after[name] for name, value in before.items()})
    network.eval()
    given.out.mkdir(parents=True, exist_ok=True)
    size = export(trained(network, published), given.out / "model.int8.onnx", MAX_TOKENS)
    print(f"{size / 1e6:.1f} MB, {time.perf_counter() - began:.0f} s")


def trained(network: Network, published: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The weights by their published names, and the head's."""
    weights = dict(published)
    for number, layer in enumerate(network.layers):
        for own, name in PARTS.items():
            part = getattr(layer, own)
            weights[f"encoder.layer.{number}.{name}.weight"] = part.weight.detach().numpy()
            weights[f"encoder.layer.{number}.{name}.bias"] = part.bias.detach().numpy()
    for name in ("inner", "outer"):
        weights[f"head.{name}.weight"] = getattr(network, name).weight.detach().numpy()
        weights[f"head.{name}.bias"] = getattr(network, name).bias.detach().numpy()
    return weights


if __name__ == "__main__":
    main()
