"""GEPA improves the prompt of exported rows by the rewards of a running server. The models are scripted."""

import json
import os
import sys

sys.path.insert(0, os.path.abspath("examples/integrations/python"))
import gepa
from gepa.adapters.default_adapter.default_adapter import DefaultAdapter
from gepa_rewards import querent_evaluator, seed_of, template_of

rows = [json.loads(line) for line in open(sys.argv[1])]
shown = []


def rewriter(messages):
    """Answers with JSON once its prompt says so in capitals."""
    question = messages[-1]["content"].splitlines()[-1]
    return json.dumps({"query": question}) if "ONLY JSON" in messages[0]["content"] else f"Search for {question}"


def reflection(prompt):
    shown.append(prompt if isinstance(prompt, str) else prompt[-1]["content"])
    return "```\nWrite a query. ONLY JSON.\n```"


found = gepa.optimize(
    seed_candidate=seed_of(rows),
    trainset=rows[:8],
    adapter=DefaultAdapter(model=rewriter, evaluator=querent_evaluator),
    reflection_lm=reflection,
    max_metric_calls=40,
    display_progress_bar=False,
    logger=type("Quiet", (), {"log": lambda self, *_: None})(),
)
before, after = found.val_aggregate_scores[0], max(found.val_aggregate_scores)
one = rows[0]
partly = querent_evaluator({**one, "gold": [*one["gold"], "nowhere"]}, json.dumps({"query": one["input"]}))
try:
    unknown = querent_evaluator({**one, "query_id": "nobody", "gold": None}, rewriter([{"content": "ONLY JSON"}]))
except RuntimeError as error:
    unknown = str(error)
print(
    json.dumps(
        {
            "before": before,
            "after": after,
            "told": shown[0],
            "template": template_of(found.best_candidate),
            "partly": partly.feedback,
            "unknown": unknown,
        }
    )
)
