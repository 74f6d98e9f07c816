"""Agents of Querent's policies in TRL: GRPOTrainer(rollout_func=querent_rollouts, reward_funcs=querent_advantage, …).

The data set is a file of `querent export --to trl`. GRPOConfig needs scale_rewards="none": the advantages are those of the
tree already, among the completions of the same agent for the same query.
"""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from agents_shared import drawn, rollouts, tokens


def query_ids_of(prompts, trainer):
    """TRL gives the prompts alone; the data set knows whose they are."""
    known = getattr(trainer, "querent_query_ids", None)
    if known is None:
        sets = [one for one in (trainer.train_dataset, trainer.eval_dataset) if one is not None]
        known = {json.dumps(row["prompt"], sort_keys=True): row["query_id"] for rows in sets for row in rows}
        trainer.querent_query_ids = known
    return [known[json.dumps(prompt, sort_keys=True)] for prompt in prompts]


def querent_rollouts(prompts, trainer):
    """A completion of an agent for each prompt: TRL repeats a query's prompt as often as it wants completions."""
    query_ids = query_ids_of(prompts, trainer)
    asked = list(dict.fromkeys(query_ids))
    left = {
        query_id: drawn(rows, query_ids.count(query_id)) for query_id, rows in zip(asked, rollouts(asked))
    }
    rows = [left[query_id].pop(0) for query_id in query_ids]
    pairs = [tokens(trainer.processing_class, row) for row in rows]
    return {
        "prompt_ids": [prompt for prompt, _ in pairs],
        "completion_ids": [completion for _, completion in pairs],
        "logprobs": None,  # TRL computes them from the weights, which wrote the completions
        "advantage": [row["advantage"] for row in rows],
        "agent": [row["agent"] for row in rows],
    }


def querent_advantage(advantage, **_):
    return advantage
