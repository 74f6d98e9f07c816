"""Runs rollouts of exported rows with NeMo Gym's own agent and a scripted model, and prints the rewards as JSON.

    QUERENT_URL=… python run_agent.py <rows.jsonl>
"""

import asyncio
import json
import os
import socket
import sys
import time
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI
from nemo_gym.config_types import BaseServerConfig, ModelServerRef, ResourcesServerRef
from nemo_gym.server_utils import GlobalAIOHTTPAsyncClientConfig, ServerClient, set_global_aiohttp_client
from omegaconf import OmegaConf
from responses_api_agents.simple_agent.app import SimpleAgent, SimpleAgentConfig

host = "127.0.0.1"


def message(text):
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": content}


def search(arguments):
    call = {"name": "search", "arguments": arguments, "call_id": "c", "status": "completed"}
    return {"type": "function_call", "id": "f"} | call


def model_with(script):
    """A server of OpenAI's Responses that says the next line of the script."""
    app = FastAPI()

    @app.post("/v1/responses")
    async def _(body: dict):
        said = script.pop(0)
        return {
            "id": "r",
            "created_at": time.time(),
            "model": "scripted",
            "object": "response",
            "output": [said],
            "parallel_tool_calls": False,
            "tool_choice": "auto",
            "tools": [],
        }

    return app


async def served(app):
    listener = socket.create_server((host, 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    return listener.getsockname()[1], server, task


async def main():
    script = []
    model, *first = await served(model_with(script))
    client = set_global_aiohttp_client(GlobalAIOHTTPAsyncClientConfig())

    async def agent_at(url):
        """An agent whose resources server is at the address. @returns its own port, and what runs it"""
        resources = urlsplit(url)
        agent_port = socket.create_server((host, 0))
        port = agent_port.getsockname()[1]
        ports = {"querent": ("resources_servers", resources.port), "model": ("responses_api_models", model)}
        ports["agent"] = ("responses_api_agents", port)
        config = {name: {kind: {name: {"host": host, "port": at}}} for name, (kind, at) in ports.items()}
        agent = SimpleAgent(
            config=SimpleAgentConfig(
                host=host,
                port=port,
                entrypoint="",
                name="agent",
                resources_server=ResourcesServerRef(type="resources_servers", name="querent"),
                model_server=ModelServerRef(type="responses_api_models", name="model"),
            ),
            server_client=ServerClient(
                head_server_config=BaseServerConfig(host=host, port=1),
                global_config_dict=OmegaConf.create(config),
            ),
        )
        server = uvicorn.Server(uvicorn.Config(agent.setup_webserver(), log_level="critical"))
        return port, server, asyncio.create_task(server.serve(sockets=[agent_port]))

    port, *second = await agent_at(os.environ["QUERENT_URL"])

    async def play(row, *said):
        script[:] = said
        async with client.post(f"http://{host}:{port}/run", json=row) as response:
            if response.status != 200:
                return {"status": response.status}
            answer = await response.json()
            items = [item["type"] for item in answer["response"]["output"]]
            shown = [
                json.loads(item["output"])
                for item in answer["response"]["output"]
                if item["type"] == "function_call_output"
            ]
            return {"reward": answer["reward"], "items": items, "shown": shown}

    rewrite, documents, unknown = [json.loads(line) for line in open(sys.argv[1])]
    kept = message(json.dumps({"documents": ["arlow-stadium"]}))
    look = search(json.dumps({"query": "stadium of arlow"}))
    found = {
        "right": await play(rewrite, message('{"query": "stadium of arlow"}')),
        "malformed": await play(rewrite, message("no")),
        "documents": await play(documents, look, kept),
        "unseen": await play(documents, kept),
        "wrong call": await play(documents, search('{"query": ""}'), look, kept),
        "no JSON": await play(documents, search("{"), look, kept),
        "unknown": await play(unknown, message("no")),
    }
    metrics = {"verify_responses": [{"reward": 1.0}, {"reward": 0.0}]}
    async with client.post(f"http://{host}:{port}/aggregate_metrics", json=metrics) as response:
        found["mean"] = (await response.json())["key_metrics"]
    print(json.dumps(found))
    await client.close()
    for server, task in [first, second]:
        server.should_exit = True
        await task


asyncio.run(main())
