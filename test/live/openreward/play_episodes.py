"""OpenReward's client plays episodes of the Open Reward Standard on a running server."""

import json
import os
import urllib.request

from openreward import OpenReward

# The server's address is in OPENREWARD_SESSION_URL.
environments = OpenReward().environments
documents = environments.get("search", variant="documents")
tasks = documents.list_tasks("train")
found = {
    "splits": documents.list_splits(),
    "tasks": documents.num_tasks("train"),
    "first": tasks[0].task_spec,
    "tools": [tool.name for tool in documents.list_tools()],
}
with documents.session(task=tasks[0]) as session:
    found["prompt"] = session.get_prompt()[0].text
    shown = session.call_tool("search", {"query": found["first"]["question"], "k": 1})
    found["shown"] = shown.blocks[0].text
    end = session.call_tool("submit", {"documents": ["arlow-stadium"]})
    found["documents"] = [end.reward, end.finished]
    try:
        found["late"] = session.call_tool("search", {"query": "x"}).blocks[0].text
    except Exception as error:
        found["late"] = str(error)
with environments.get("search", variant="rewrite").session(split="train", index=0) as session:
    found["rewrite"] = session.call_tool("submit", {"queries": ["stadium of arlow"]}).reward
    asked = urllib.request.Request(os.environ["QUERENT_URL"] + "/delete", b"", {"x-session-id": session.sid})
    urllib.request.urlopen(asked).read()  # as if it had waited for too long
    try:
        session.get_prompt()
        found["gone"] = "a prompt"
    except Exception as error:
        found["gone"] = str(error)
dead = environments.get("search", variant="documents", base_url="http://127.0.0.1:9")
try:
    found["dead"] = dead.num_tasks("train")
except Exception as error:
    found["dead"] = type(error).__name__
print(json.dumps(found, default=str))
