"""Calls the search tool as verl's agent loop does. Its base class and schemas are those of the wheel.

    QUERENT_URL=… python call_search_tool.py <folder of the shims> <wheel of verl>
"""

import asyncio
import inspect
import json
import sys
import types
from unittest import mock

shims, wheel = sys.argv[1:]
sys.path.insert(0, shims)
# The packages without their __init__, which load PyTorch and Ray; a tool needs neither.
for name in ("verl", "verl.utils"):
    package = types.ModuleType(name)
    package.__path__ = [f"{wheel}/{name.replace('.', '/')}"]
    sys.modules[name] = package
sys.modules["ray"] = mock.MagicMock()

import querent_verl
import verl_search_tool
from verl.tools.base_tool import BaseTool

querent_verl.time.sleep = lambda _: None


async def played():
    tool = verl_search_tool.SearchTool(config={"type": "native", "k": 1}, tool_schema=None)
    instance, _ = await tool.create(create_kwargs={})
    found, reward, metrics = await tool.execute(instance, {"query": "stadium of arlow"}, agent_data=None)
    two, _, _ = await tool.execute(instance, {"query": "stadium of arlow", "k": 2})
    wrong, _, _ = await tool.execute(instance, {"q": "x"})
    await tool.release(instance)
    querent_verl.URL = "http://127.0.0.1:9"
    try:
        dead = (await tool.execute(instance, {"query": "x"}))[0].text
    except RuntimeError as error:
        dead = str(error)
    return {
        "abstract": [name for name, _ in inspect.getmembers(BaseTool, inspect.iscoroutinefunction)],
        "name": tool.name,
        "schema": tool.get_openai_tool_schema().model_dump(exclude_none=True)["function"]["parameters"]["required"],
        "found": found.text,
        "reward": reward,
        "metrics": metrics,
        "two": two.text.count("["),
        "wrong": wrong.text,
        "dead": dead,
    }


print(json.dumps(asyncio.run(played())))
