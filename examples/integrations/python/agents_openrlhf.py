"""Agents of Querent's policies in OpenRLHF 0.9.1 and newer: --train.agent_func_path agents_openrlhf.py.

Before 0.11 it is --agent_func_path. The data set is a file of `querent export --to openrlhf`. OpenRLHF asks for one sample at a
time, so each is a completion of a chain of its own, with the chain's value as its reward.
"""

import asyncio
import json
import os
import sys

from openrlhf.utils.agent import AgentExecutorBase

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from agents_shared import step_of_chain, tokens


class AgentExecutor(AgentExecutorBase):
    async def execute(self, prompt, label, sampling_params, max_length, hf_tokenizer, llm_engine, images=None, **_):
        """A completion of an agent in place of one of the prompt. The reward server's model wrote it, not llm_engine.

        Since 0.10 the engine sends the images of the prompt, too. A policy's agents read text alone.
        """
        temperature = getattr(sampling_params, "temperature", None)
        settings = {} if temperature is None else {"temperature": temperature}
        row = await asyncio.to_thread(step_of_chain, json.loads(label)["query_id"], **settings)
        asked, completion = tokens(hf_tokenizer, row)
        asked = asked[-max(1, max_length - len(completion)) :]
        together = [*asked, *completion][:max_length]
        return {
            "prompt": prompt,
            "label": label,
            "observation_tokens": together,
            "action_ranges": [(len(asked), len(together))],
            "rollout_log_probs": None,
            "reward": float(row["value"]),
            "scores": float(row["value"]),
            "extra_logs": {"forced": float(row["forced"])},
        }
