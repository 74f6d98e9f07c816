"""Querent's rewards in OpenRLHF: --reward.remote_url querent_openrlhf.py (before 0.11: --remote_rm_url)."""

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


def reward_func(queries, prompts, labels, **_):
    """Rewards for the advantage, scores from 0 to 1 for dynamic filtering. Raises where an answer cannot be priced."""
    body = {"query": list(queries), "prompts": list(prompts), "labels": list(labels)}
    answer = post("/openrlhf", body)
    try:
        from torch import tensor  # what OpenRLHF's own examples return
    except ImportError:
        tensor = list
    logs = {name: tensor(values) for name, values in answer["extra_logs"].items()}
    return {"rewards": tensor(answer["rewards"]), "scores": tensor(answer["scores"]), "extra_logs": logs}
