"""Seconds that datasketch and rensa need for texts.jsonl, from str to 84-value sketch of 5-word shingles, as JSON.

Words and shingles are made in Python, as users of these libraries do. The rows "shingles given" leave that out: they show
the libraries themselves, with less to do than dustpan has. Shingles live no longer than they are needed (a group of
documents at most): keeping those of all documents alive would slow Python down.
"""
import json
import re
import sys
import time

WORD = re.compile(r"[^\W_]+")


def shingles(text):
    words = WORD.findall(text)
    if not words:
        return []
    around = words + words[:4]
    while len(around) < len(words) + 4:
        around += words
    return [" ".join(around[i : i + 5]) for i in range(len(words))]


def best(work):
    """The smallest CPU and wall seconds of three rounds after one that does not count."""
    cpu = wall = float("inf")
    for round in range(4):
        start = (time.process_time(), time.perf_counter())
        work()
        if round > 0:
            cpu = min(cpu, time.process_time() - start[0])
            wall = min(wall, time.perf_counter() - start[1])
    return {"cpu": cpu, "wall": wall}


GROUP = 50

texts = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]


def groups():
    for start in range(0, len(texts), GROUP):
        yield [shingles(text) for text in texts[start : start + GROUP]]


def best_given(work):
    """The same for work(list of shingle lists) over all documents, the making of the shingles not counted."""
    cpu = wall = float("inf")
    for round in range(4):
        totals = [0.0, 0.0]
        for group in groups():
            start = (time.process_time(), time.perf_counter())
            work(group)
            totals[0] += time.process_time() - start[0]
            totals[1] += time.perf_counter() - start[1]
        if round > 0:
            cpu, wall = min(cpu, totals[0]), min(wall, totals[1])
    return {"cpu": cpu, "wall": wall}


def shingles_alone():
    for text in texts:
        shingles(text)


result = {"(Python: words and shingles alone)": best(shingles_alone)}

try:
    from datasketch import MinHash

    prototype = MinHash(num_perm=84)

    def datasketch_sketch(made):
        sketch = prototype.copy()
        sketch.update_batch([shingle.encode() for shingle in made])

    def with_datasketch():
        for text in texts:
            datasketch_sketch(shingles(text))

    result["datasketch MinHash"] = best(with_datasketch)
    result["datasketch MinHash, shingles given"] = best_given(lambda group: [datasketch_sketch(made) for made in group])
except ImportError as error:
    print(error, file=sys.stderr)

try:
    from rensa import CMinHash, RMinHash

    def rensa_sketch(kind, made):
        sketch = kind(num_perm=84, seed=42)
        sketch.update(made)
        sketch.digest()

    def with_rensa(kind):
        for text in texts:
            rensa_sketch(kind, shingles(text))

    def rensa_batch(group):
        RMinHash.digest_matrix_from_token_sets(group, 84, 42)

    def with_rensa_batch():
        for group in groups():
            rensa_batch(group)

    result["rensa RMinHash"] = best(lambda: with_rensa(RMinHash))
    result["rensa RMinHash, batch"] = best(with_rensa_batch)
    result["rensa CMinHash (one permutation, shifted)"] = best(lambda: with_rensa(CMinHash))
    result["rensa RMinHash, shingles given"] = best_given(lambda group: [rensa_sketch(RMinHash, made) for made in group])
    result["rensa RMinHash, batch, shingles given"] = best_given(rensa_batch)
except ImportError as error:
    print(error, file=sys.stderr)

print(json.dumps(result))
