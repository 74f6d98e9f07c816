"""A search tool for agents in verl: the index of a reward server, which verl itself has no tool for any more.

A file for actor_rollout_ref.rollout.multi_turn.tool_config_path:

    tools:
      - class_name: verl_search_tool.SearchTool
        config: {type: native, k: 5}
"""

import asyncio
import os
import sys

from verl.tools.base_tool import BaseTool
from verl.tools.schemas import OpenAIFunctionToolSchema, ToolResponse

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from querent_verl import post

SCHEMA = {
    "type": "function",
    "function": {
        "name": "search",
        "description": "Searches the index and returns the best documents.",
        "parameters": {
            "type": "object",
            "properties": {
                "query": {"type": "string", "description": "what to search for"},
                "k": {"type": "integer", "description": "how many documents"},
            },
            "required": ["query"],
        },
    },
}


class SearchTool(BaseTool):
    """`k` of the configuration is how many documents a call gets that does not say (default 5)."""

    def __init__(self, config, tool_schema=None):
        super().__init__(config, tool_schema or OpenAIFunctionToolSchema.model_validate(SCHEMA))

    async def execute(self, instance_id, parameters, **_):
        """The documents as text. A call of the wrong form is told so; a server that fails ends the rollout."""
        asked = {"k": self.config.get("k", 5), **parameters}
        query = asked.get("query")
        if not isinstance(query, str) or not query.strip():
            return ToolResponse(text="Error: query must be text."), 0.0, {"documents": 0}
        found = await asyncio.to_thread(post, "/search", {"query": query, "k": asked["k"]})
        texts = [f"[{document['id']}] {document['contents']}" for document in found["documents"]]
        return ToolResponse(text="\n\n".join(texts) or "Nothing was found."), 0.0, {"documents": len(texts)}
