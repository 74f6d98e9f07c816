"""Querent's rewards in GEPA, which improves the prompt in place of the model's weights: no GPU is needed.

    rows = [json.loads(line) for line in open("rows.jsonl")]    # of `querent export --to gepa`
    adapter = DefaultAdapter(model="openai/…", evaluator=querent_evaluator)
    found = gepa.optimize(seed_candidate=seed_of(rows), trainset=rows, adapter=adapter, reflection_lm="openai/…", …)
    open("template.txt", "w").write(template_of(found.best_candidate))    # for --template
"""

import os
import sys

from gepa.adapters.default_adapter.default_adapter import EvaluationResult

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from querent_trl import post


def seed_of(rows):
    """The candidate to begin with: the prompt of the policy acqo."""
    return {"system_prompt": rows[0]["system"]}


def template_of(candidate):
    """A file for --template: the prompt, the conversation and the question."""
    return candidate["system_prompt"] + "\n\n{context}\n\nCurrent question:\n{question}"


def querent_evaluator(data, response):
    """The reward, and what the model that writes prompts is told about it. Raises where there is none."""
    item = {"completion": response, "query_id": data["query_id"], "ground_truth": data.get("gold")}
    [result] = post("/v1/reward", {"items": [item]})["results"]
    if result["error"]:
        raise RuntimeError(f"The answer to {data['query_id']} cannot be priced: {result['error']}")
    parts = {key: result[key] for key in ("acc", "format")}
    return EvaluationResult(result["score"], feedback_of(result), parts)


def feedback_of(result):
    if not result["format"]:
        return "The answer has the wrong form, so nothing was searched. It must be the JSON object and nothing else."
    found = sorted(rank for rank in result["ranks"] if rank is not None)
    missing = len(result["ranks"]) - len(found)
    parts = [f"The search engine got {result['n_sub']} queries."]
    if found:
        parts.append(f"Documents that answer the question stand at ranks {', '.join(map(str, found))}.")
    if missing:
        parts.append(f"{missing} of {len(result['ranks'])} documents that are needed were not found.")
    return " ".join([*parts, f"This earns {result['acc']:.0%} of what is possible."])
