"""Querent's rewards in TRL: GRPOTrainer(reward_funcs=querent_reward, …) on a file of `querent export --to trl`."""

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


def querent_reward(completions, query_id=None, gold=None, log_metric=None, **_):
    """One reward an answer; None, which TRL leaves out, for an answer that cannot be priced."""
    texts = [one if isinstance(one, str) else one[-1]["content"] for one in completions]
    nothing = [None] * len(texts)
    columns = zip(texts, query_id or nothing, gold or nothing)
    items = [{"completion": text, "query_id": qid, "ground_truth": docids} for text, qid, docids in columns]
    results = post("/v1/reward", {"items": items})["results"]
    errors = [result["error"] for result in results if result["error"]]
    if len(errors) == len(results) > 0:
        raise RuntimeError(f"No answer can be priced: {errors[0]}")
    priced = [result for result in results if not result["error"]]
    for key in ("acc", "format", "n_sub") if log_metric else ():
        log_metric(f"querent/{key}", sum(result[key] for result in priced) / len(priced))
    if log_metric:
        log_metric("querent/errors", len(errors))
    return [result["score"] for result in results]
