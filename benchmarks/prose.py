"""How long the reading of a long thread takes, by its size: twice the text, twice the time.

The threads are made: comments of dense sentences (every word belongs to some phrase), lists and pasted commands, which
cost more than what people write. Times are of the processor.

    python benchmarks/prose.py                            writes benchmarks/prose.md
    python benchmarks/prose.py --megabytes 0.25 0.5       only these sizes, nothing written
"""

from __future__ import annotations

import argparse
import random
import re
import time
from pathlib import Path

from dam_expert.kb.load import load_knowledge
from dam_expert.prose import Vocabulary, load_vocabulary
from dam_expert.prose.report import understand_text

RESULT = Path(__file__).with_suffix(".md")
SIZES = (0.625, 1.25, 2.5, 5.0)
SENTENCES = """the loader waits for data while the gpu utilisation is 35 % and step time rose to 2.1 s after we upgraded
torch maybe the network seems fine but nccl all reduce takes 40 ms of each step we tried more workers and it did not
help with batch size 16 on 8x A100"""
WORDS = tuple(re.split(r"\s+", SENTENCES))


def thread(size: int, seed: int = 1) -> str:
    """Return a thread of so many characters."""
    chance = random.Random(seed)
    parts, length, number = ["# Slow training\n\n"], 0, 0
    while length < size:
        number += 1
        sentences = (
            " ".join(chance.choices(WORDS, k=chance.randint(8, 25))) + f" {chance.randint(1, 999)} ms. "
            for _ in range(chance.randint(1, 4))
        )
        comment = f"**user{number % 17}** commented on 2024-05-{number % 28 + 1:02d}\n\n{''.join(sentences)}\n\n"
        if number % 5 == 0:
            comment += f"- step time: {chance.randint(1, 999)} ms\n- batch size: {chance.randint(1, 64)}\n\n"
        if number % 11 == 0:
            comment += f"```\npython train.py --num_workers {number % 9} --bs {number % 64}\n```\n\n"
        parts.append(comment)
        length += len(comment)
    return "".join(parts)


def seconds(text: str, vocabulary: Vocabulary) -> float:
    """Return the processor time of reading a text."""
    start = time.process_time()
    understand_text(text, "thread.md", vocabulary)
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", nargs="*", type=float, default=[], help="sizes of the threads")
    options = parser.parse_args()
    base, _ = load_knowledge()
    if base is None:
        raise SystemExit("the base cannot be used: see 'dam kb check'")
    vocabulary, _ = load_vocabulary(base)
    lines = ["| thread | processor time | per MB |", "| --- | --- | --- |"]
    for size in options.megabytes or SIZES:
        taken = seconds(thread(int(size * 1e6)), vocabulary)
        lines.append(f"| {size:g} MB | {taken:.1f} s | {taken / size:.1f} s |")
    print("\n".join(lines))
    if not options.megabytes:
        introduction = "\n".join((__doc__ or "").splitlines()[:4])
        page = f"# Reading of long threads\n\n{introduction}\n\n{chr(10).join(lines)}\n\n"
        RESULT.write_text(f"{page}Made by `python benchmarks/prose.py`.\n", encoding="utf-8")


if __name__ == "__main__":
    main()
