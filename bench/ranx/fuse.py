"""Times ranx's reciprocal rank fusion. Reads {"runs": [{qid: {docid: score}}], "calls": n} from standard input and writes
microseconds a query: of calls with one query, and of calls with all of them."""

import json
import sys
from time import perf_counter

import numba
import ranx

given = json.load(sys.stdin)
calls = given["calls"]


def microseconds(runs, queries, calls):
    """A query's part of each call. The first calls compile and warm up, and are not counted."""
    times = []
    for call in range(-5, calls):
        start = perf_counter()
        ranx.fuse(runs, norm=None, method="rrf", params={"k": 60})
        if call >= 0:
            times.append((perf_counter() - start) / queries * 1e6)
    return sorted(times)


qids = list(given["runs"][0])
batch = [ranx.Run(run) for run in given["runs"]]
single = [ranx.Run({qids[0]: run[qids[0]]}) for run in given["runs"]]
json.dump(
    {
        "threads": numba.get_num_threads(),
        "single": microseconds(single, 1, calls),
        "batch": microseconds(batch, len(qids), max(5, calls // 10)),
    },
    sys.stdout,
)
