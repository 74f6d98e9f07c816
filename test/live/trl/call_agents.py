"""Calls the adapters of POST /v1/rollouts as the trainers do, without any package, and prints what came of it as JSON.

    QUERENT_URL=… QUERENT_POLICY=acqo python -S call_agents.py <folder of the adapters>

verl and OpenRLHF are stand-ins here: the names that the adapters import, with the fields that the trainers read.
"""

import asyncio
import json
import sys
from types import ModuleType, SimpleNamespace

sys.path.insert(0, sys.argv[1])


class Record(dict):
    def __init__(self, **values):
        super().__init__(values)


class AgentLoopBase:
    def __init__(self, tokenizer, limits):
        self.tokenizer, self.rollout_config = tokenizer, limits


def stand_in(name, **members):
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        sys.modules.setdefault(".".join(parts[:end]), ModuleType(".".join(parts[:end])))
    vars(sys.modules[name]).update(members)


stand_in(
    "verl.experimental.agent_loop.agent_loop",
    AgentLoopBase=AgentLoopBase, AgentLoopMetrics=Record, AgentLoopOutput=Record,
)
stand_in("openrlhf.utils.agent", AgentExecutorBase=object)

import agents_openrlhf
import agents_shared
import agents_trl
import agents_verl


class Letters:
    """A token is a character."""

    eos_token_id = 0

    def apply_chat_template(self, messages, add_generation_prompt, tokenize):
        assert add_generation_prompt and not tokenize
        return "".join(f"<{one['role']}>{one['content']}" for one in messages) + "<assistant>"

    def encode(self, text, add_special_tokens):
        assert not add_special_tokens
        return [ord(letter) for letter in text]


def words(ids):
    return "".join(chr(one) for one in ids if one)


def main():
    found, tokenizer = {}, Letters()

    sets = [{"prompt": [{"role": "user", "content": qid}], "query_id": qid} for qid in ("q0", "q1")]
    trainer = SimpleNamespace(train_dataset=sets, eval_dataset=None, processing_class=tokenizer)
    prompts = [sets[0]["prompt"]] * 6 + [sets[1]["prompt"]] * 2
    given = agents_trl.querent_rollouts(prompts, trainer)
    advantages = agents_trl.querent_advantage(**given)
    texts = [words(ids) for ids in given["completion_ids"]]
    found["trl"] = sorted(zip(texts[:6], advantages[:6]))
    found["trl ends"] = [ids[-1] for ids in given["completion_ids"]]
    found["trl prompts"] = [words(ids).splitlines()[-1] for ids in given["prompt_ids"]]

    limits = SimpleNamespace(prompt_length=40, response_length=8)
    loop = agents_verl.QuerentAgentLoop(tokenizer, limits)
    verl = asyncio.run(loop.run({"temperature": 0.7}, extra_info={"query_id": "q0"}, raw_prompt=[]))
    found["verl"] = [len(verl["prompt_ids"]), verl["response_mask"], words(verl["prompt_ids"])[-11:], verl["reward_score"]]

    run = agents_openrlhf.AgentExecutor().execute
    label, sampling = json.dumps({"query_id": "q0"}), SimpleNamespace(temperature=0.7)
    openrlhf = asyncio.run(run("its own", label, sampling, 4096, tokenizer, None))
    [(start, end)] = openrlhf["action_ranges"]
    found["openrlhf"] = [words(openrlhf["observation_tokens"][start:end]), openrlhf["reward"], end]
    found["openrlhf length"] = len(openrlhf["observation_tokens"])
    short = asyncio.run(run("its own", label, sampling, 12, tokenizer, None))
    found["openrlhf short"] = [len(short["observation_tokens"]), short["action_ranges"]]

    try:
        agents_shared.rollouts(["nobody"])
    except RuntimeError as error:
        found["error"] = str(error)
    print(json.dumps(found))


if __name__ == "__main__":
    main()
