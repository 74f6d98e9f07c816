"""Reads out of OpenRLHF's wheels how its engine calls an agent and what is read of the answer, and binds both to the adapter.

    python -S bind_openrlhf.py <folder of the adapters> <wheel>…

Prints for each wheel the names that do not fit, as JSON. OpenRLHF itself is a stand-in: it needs a GPU to be imported.
"""

import ast
import inspect
import json
import sys
from types import ModuleType
from zipfile import ZipFile

sys.path.insert(0, sys.argv[1])
sys.modules["openrlhf.utils.agent"] = ModuleType("openrlhf.utils.agent")
sys.modules["openrlhf.utils.agent"].AgentExecutorBase = object

import agents_openrlhf


def sources(wheel, folder):
    with ZipFile(wheel) as files:
        return [ast.parse(files.read(name)) for name in files.namelist() if f"/openrlhf/trainer/{folder}" in name]


def calls(tree):
    """The keywords of each `….executor.execute(…)`, and how many other arguments it has."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".executor.execute"):
            yield [keyword.arg for keyword in node.keywords], len(node.args)


def keys(tree):
    """The keys of `response[…]`, which an answer must have."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "response":
            yield ast.literal_eval(node.slice)


def main():
    execute = agents_openrlhf.AgentExecutor.execute
    [answer] = [node for node in ast.walk(ast.parse(inspect.getsource(agents_openrlhf))) if isinstance(node, ast.Return)]
    given = {key.value for key in answer.value.keys}
    found = []
    for wheel in sys.argv[2:]:
        [(keywords, others)] = [call for tree in sources(wheel, "ray/vllm_engine.py") for call in calls(tree)]
        try:
            inspect.signature(execute).bind(None, *[None] * others, **dict.fromkeys(keywords))
            error = None
        except TypeError as wrong:
            error = str(wrong)
        read = {key for tree in sources(wheel, "ppo_utils/") for key in keys(tree)}
        found.append({"error": error, "keywords": keywords, "read": sorted(read), "lacks": sorted(read - given)})
    print(json.dumps(found))


if __name__ == "__main__":
    main()
