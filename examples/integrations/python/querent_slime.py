"""Querent's rewards in slime: --custom-rm-path querent_slime.querent_reward, for one sample or, with --group-rm, a group."""

import asyncio
import http.client
import json
import os
import time
import urllib.error
import urllib.request

URL = os.environ.get("QUERENT_URL", "http://127.0.0.1:8177")
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a reward server is never behind a proxy


def post(path, body):
    """The server's answer. Raises when there is none after six tries: a made-up reward would teach something."""
    request = urllib.request.Request(URL + path, json.dumps(body).encode(), {"content-type": "application/json"})
    for wait in (0.5, 1, 2, 4, 8, 0):
        try:
            with OPENER.open(request, timeout=float(os.environ.get("QUERENT_TIMEOUT", "120"))) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            reason = f"{error.code} {error.read().decode(errors='replace')[:500]}"
            if error.code not in (502, 503, 504):
                break
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = repr(error)
        time.sleep(wait)
    raise RuntimeError(f"The reward server at {URL} gave no reward: {reason}")


async def querent_reward(args, samples, **_):
    """A number a sample, or with --reward-key a dict. Raises where an answer cannot be priced."""
    many = samples if isinstance(samples, list) else [samples]
    labels = [json.loads(sample.label) if isinstance(sample.label, str) else sample.label for sample in many]
    items = [
        {
            "completion": sample.response,
            "query_id": label.get("query_id"),
            "ground_truth": label.get("gold"),
            "options": label.get("options"),
        }
        for sample, label in zip(many, labels)
    ]
    results = (await asyncio.to_thread(post, "/v1/reward", {"items": items}))["results"]
    errors = [result["error"] for result in results if result["error"]]
    if errors:
        raise RuntimeError(f"{len(errors)} of {len(items)} answers cannot be priced: {errors[0]}")
    rewards = [result if getattr(args, "reward_key", None) else result["score"] for result in results]
    return rewards if isinstance(samples, list) else rewards[0]
