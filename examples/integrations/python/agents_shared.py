"""Completions of a policy's agents, from POST /v1/rollouts: what agents_trl.py, agents_verl.py and agents_openrlhf.py share.

The reward server makes the rollouts with the weights that its agentsUrl serves: name the trainer's own server there.
"""

import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # trainers load one file by its path
from querent_trl import post

POLICY = os.environ.get("QUERENT_POLICY", "c3po")
MODEL = os.environ.get("QUERENT_MODEL")  # of the server of agentsUrl; None is the one that it was started with


def rollouts(query_ids, **settings):
    """The completions of each query's rollouts. Raises where a query has none: another's would teach something else."""
    items = [{"query_id": query_id} for query_id in query_ids]
    body = {"policy": POLICY, "model": MODEL, "settings": settings, "items": items}
    results = post("/v1/rollouts", body)["results"]
    for query_id, result in zip(query_ids, results):
        if not result["rows"]:
            raise RuntimeError(f"The query {query_id} has no rollouts: {result['error'] or 'no agent was asked'}")
    return [result["rows"] for result in results]


def step_of_chain(query_id, **settings):
    """One completion, drawn from a chain: trainers that ask for one sample at a time compare the chains of a query."""
    return random.choice(rollouts([query_id], tree=False, samples=1, **settings)[0])


def drawn(rows, count):
    """So many of the rows; none twice before each was drawn once."""
    return [row for _ in range(0, count, len(rows)) for row in random.sample(rows, len(rows))][:count]


def tokens(tokenizer, row, longest_prompt=None):
    """Ids of the prompt, of which the end counts, and of the completion: the server's own, or the tokenizer's."""
    text = tokenizer.apply_chat_template(row["messages"], add_generation_prompt=True, tokenize=False)
    prompt = tokenizer.encode(text, add_special_tokens=False)[-(longest_prompt or 0) :]
    written = tokenizer.encode(row["completion"], add_special_tokens=False)
    return prompt, row.get("tokenIds") or [*written, tokenizer.eos_token_id]
