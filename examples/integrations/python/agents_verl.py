"""Agents of Querent's policies in verl, as an agent loop: see examples/integrations/configs/verl_agents.sh.

The data set is a file of `querent export --to verl`. verl asks for one sample at a time, so each is a completion of a chain of
its own, with the chain's value as its reward.
"""

import asyncio
import os
import sys

from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from agents_shared import step_of_chain, tokens


class QuerentAgentLoop(AgentLoopBase):
    async def run(self, sampling_params, **kwargs):
        """The value of the completion is the reward of its last token."""
        settings = {"temperature": sampling_params["temperature"]} if "temperature" in sampling_params else {}
        row = await asyncio.to_thread(step_of_chain, str(kwargs["extra_info"]["query_id"]), **settings)
        limits = getattr(self, "rollout_config", None) or self.config.actor_rollout_ref.rollout  # an older verl
        prompt, completion = tokens(self.tokenizer, row, limits.prompt_length)
        completion = completion[: limits.response_length]
        return AgentLoopOutput(
            prompt_ids=prompt,
            response_ids=completion,
            response_mask=[1] * len(completion),
            reward_score=float(row["value"]),
            num_turns=2,
            metrics=AgentLoopMetrics(),
        )
