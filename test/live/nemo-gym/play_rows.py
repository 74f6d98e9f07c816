"""Plays rollouts of NeMo Gym rows with verifiers' own client, as its harnesses do, with a scripted model, and prints the rewards as JSON.

    QUERENT_URL=… python play_rows.py <rows.jsonl>
"""

import asyncio
import json
import os
import sys
from types import SimpleNamespace

from verifiers.v1.mcp import SharedToolsetConfig
from verifiers.v1.graph import MessageNode
from verifiers.v1.tasksets.nemo_gym import NeMoGymConfig, NeMoGymTaskConfig, NeMoGymTaskset
from verifiers.v1.tasksets.nemo_gym.toolset import NeMoGymState, NeMoGymToolset
from verifiers.v1.trace import Trace
from verifiers.v1.types import AssistantMessage, ToolCall, ToolMessage


class Toolset(NeMoGymToolset):
    """Holds the state that verifiers' tool server looks up for each call."""

    state = None


def trace_of():
    return Trace.model_construct(id="t", state=NeMoGymState(), nodes=[], calls=[], info={}, metrics={})


async def play(task, end, *searches):
    trace = trace_of()
    await task.setup(trace, None)
    toolset = Toolset(SharedToolsetConfig())
    toolset.state = trace.state
    messages, shown = list(task.data.prompt), []
    nodes = [MessageNode(message=message, parent=at - 1 if at else None) for at, message in enumerate(messages)]

    def add(message, sampled):
        nodes.append(MessageNode(message=message, parent=len(nodes) - 1, sampled=sampled))

    for at, arguments in enumerate(searches):
        call = ToolCall(id=f"c{at}", name="search", arguments=json.dumps(arguments))
        add(AssistantMessage(content="I search.", tool_calls=[call]), True)
        result = await toolset.call_tool("search", arguments)
        shown.append([result.is_error, json.loads(result.content[0].text)])
        add(ToolMessage(tool_call_id=call.id, content=result.content[0].text), False)
    add(AssistantMessage(content=end), True)
    trace.nodes.extend(nodes)
    reward = await task.nemo_gym(trace)
    return {"reward": reward, "metrics": trace.metrics, "shown": shown}


async def message_of(work):
    try:
        return f"no error: {await work}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"


async def main():
    url, rows = os.environ["QUERENT_URL"], sys.argv[1]

    def tasks(resources_url):
        task = NeMoGymTaskConfig(resources_url=resources_url, request_timeout=20)
        return list(NeMoGymTaskset(NeMoGymConfig(dataset=rows, task=task)).load())

    rewrite, documents, answer, unknown = tasks(url)
    kept = json.dumps({"documents": ["arlow-stadium"]})
    look = {"query": "stadium of arlow"}
    print(
        json.dumps(
            {
                "right": await play(rewrite, '{"query": "stadium of arlow"}'),
                "malformed": await play(rewrite, "no"),
                "documents": await play(documents, kept, {"query": "library"}, look | {"k": 2}),
                "unseen": await play(documents, kept),
                "wrong call": await play(documents, kept, {"query": ""}, look),
                "answer": await play(answer, '{"answer": "in the town of Arlow"}', look),
                "unknown": await message_of(play(unknown, "no")),
                "nobody": await message_of(play(tasks("http://127.0.0.1:9")[0], "no")),
            }
        )
    )


asyncio.run(main())
