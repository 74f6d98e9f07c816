"""Times ranx's reciprocal rank fusion of one query. Reads {"runs": [{qid: {docid: score}}], "calls": n} from standard input and writes
the microseconds of each call."""

import json
import sys
from time import perf_counter

import ranx

given = json.load(sys.stdin)
runs = [ranx.Run(run) for run in given["runs"]]
times = []
# The first calls compile and warm up, and are not counted.
for call in range(-5, given["calls"]):
    start = perf_counter()
    ranx.fuse(runs, norm=None, method="rrf", params={"k": 60})
    if call >= 0:
        times.append((perf_counter() - start) * 1e6)
json.dump(times, sys.stdout)
