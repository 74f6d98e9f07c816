"""Searches with a running MCP server as verifiers' harnesses do, and prints what they are given as JSON.

    QUERENT_MCP_URL=… python search_by_mcp.py
"""

import asyncio
import json
import os
from contextlib import AsyncExitStack

from verifiers.v1.harnesses.utils.mcp import call_mcp, connect_mcp
from verifiers.v1.mcp import SharedToolsetConfig, Toolset, serve_shared


class Search(Toolset[SharedToolsetConfig]):
    TOOL_PREFIX = "querent"


async def main():
    config = SharedToolsetConfig(url=os.environ["QUERENT_MCP_URL"])
    async with serve_shared([Search(config)]) as shared, AsyncExitStack() as stack:
        servers = {name: {"url": server.url} for name, server in shared.items()}
        tools, dispatch, connections = await connect_mcp({"mcpServers": servers}, stack)

        async def call(**arguments):
            return await call_mcp(connections, dispatch, "querent_search", arguments)

        print(
            json.dumps(
                {
                    "tools": [tool["function"]["name"] for tool in tools],
                    "found": await call(query="stadium of arlow"),
                    "strict": await call(query="library", k="1", history=None),
                    "wrong": await call(query=""),
                }
            )
        )


asyncio.run(main())
