#!/usr/bin/env python3
"""Writes what trec_eval says about the runs in test/fixtures/trec: <name>.expected.json.gz from <name>.run.gz and
<name>.qrels.gz, as {level: {metric: {qid: value}}} with trec_eval's names of metrics.

Needs `pip install pytrec_eval-terrier`, which is trec_eval's own C code. trec_eval has no `judged`; it is counted here,
over the hits in trec_eval's order.
"""
import gzip
import json
from pathlib import Path

import pytrec_eval

FOLDER = Path(__file__).parent.parent / 'test' / 'fixtures' / 'trec'
CUTOFFS = '1,3,5,10,20,50,100'
MEASURES = {
    *(f'{family}.{CUTOFFS}' for family in ('P', 'recall', 'success', 'map_cut', 'ndcg_cut')),
    *('map', 'ndcg', 'recip_rank', 'Rprec', 'bpref', 'set_P', 'set_recall', 'set_F'),
}
LEVELS = (1, 2)


def read(path, docid, value, convert):
    table = {}
    with gzip.open(path, 'rt', encoding='utf-8') as lines:
        for line in lines:
            columns = line.split()
            table.setdefault(columns[0], {})[columns[docid]] = convert(columns[value])
    return table


def judged(run, qrels, k):
    def share(qid):
        ranking = sorted(run[qid].items(), key=lambda hit: (hit[1], hit[0]), reverse=True)[:k]
        return sum(docid in qrels[qid] for docid, _ in ranking) / len(ranking)

    return {qid: share(qid) for qid in run}


def by_metric(by_query):
    table = {}
    for qid, values in sorted(by_query.items()):
        for metric, value in sorted(values.items()):
            table.setdefault(metric, {})[qid] = value
    return table


for run_path in sorted(FOLDER.glob('*.run.gz')):
    name = run_path.name.removesuffix('.run.gz')
    run = read(run_path, 2, 4, float)
    qrels = read(FOLDER / f'{name}.qrels.gz', 2, 3, int)
    expected = {}
    for level in LEVELS:
        evaluator = pytrec_eval.RelevanceEvaluator(qrels, MEASURES, relevance_level=level)
        expected[level] = by_metric(evaluator.evaluate(run))
    for k in (int(cutoff) for cutoff in CUTOFFS.split(',')):
        expected[1][f'judged_{k}'] = judged(run, qrels, k)
    text = json.dumps(expected, separators=(',', ':'), sort_keys=True)
    # Without a name and a time in its header the packed file is the same whenever it is made.
    with open(FOLDER / f'{name}.expected.json.gz', 'wb') as file:
        with gzip.GzipFile(filename='', mode='wb', fileobj=file, mtime=0) as packed:
            packed.write(text.encode())
    print(name, len(run), 'queries', len(expected[1]), 'metrics')
