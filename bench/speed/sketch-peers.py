"""Seconds that datasketch and rensa need for texts.jsonl, from str to 84-value sketch of 5-word shingles, as JSON.

Words and shingles are made in Python, as users of these libraries do; rensa is also given its batch interface.
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
    seconds = float("inf")
    for round in range(4):
        start = time.perf_counter()
        work()
        if round > 0:
            seconds = min(seconds, time.perf_counter() - start)
    return seconds


texts = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
result = {"(Python: words and shingles alone)": best(lambda: [shingles(text) for text in texts])}

try:
    from datasketch import MinHash

    prototype = MinHash(num_perm=84)

    def with_datasketch():
        for text in texts:
            sketch = prototype.copy()
            sketch.update_batch([shingle.encode() for shingle in shingles(text)])

    result["datasketch MinHash"] = best(with_datasketch)
except ImportError as error:
    print(error, file=sys.stderr)

try:
    from rensa import CMinHash, RMinHash

    def with_rensa(kind):
        for text in texts:
            sketch = kind(num_perm=84, seed=42)
            sketch.update(shingles(text))
            sketch.digest()

    result["rensa RMinHash"] = best(lambda: with_rensa(RMinHash))
    result["rensa RMinHash, batch"] = best(
        lambda: RMinHash.digest_matrix_from_token_sets([shingles(text) for text in texts], 84, 42)
    )
    result["rensa CMinHash (one permutation, shifted)"] = best(lambda: with_rensa(CMinHash))
except ImportError as error:
    print(error, file=sys.stderr)

print(json.dumps(result))
