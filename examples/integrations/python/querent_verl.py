"""Querent's rewards in verl: custom_reward_function.path=querent_verl.py, for one answer a call or many."""

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


OPTIONS = {"stage", "eta", "etaStart", "delta", "lambda", "kStar", "topk"}


def compute_score(solution_str=None, ground_truth=None, extra_info=None, solution_strs=None, **others):
    """Floats under the same keys for every answer. reward_kwargs may hold any of OPTIONS."""
    if solution_strs is not None:
        return scores(solution_strs, others["ground_truths"], others["extra_infos"], others)
    return scores([solution_str], [ground_truth], [extra_info], others)[0]


def scores(texts, golds, extras, others):
    items = [{"completion": text, "options": {k: others[k] for k in OPTIONS & others.keys()}} for text in texts]
    for item, gold, extra in zip(items, golds, extras):  # a list may have become an array of numpy's
        item["ground_truth"] = gold if gold is None or isinstance(gold, str) else [str(one) for one in gold]
        item["query_id"] = (extra or {}).get("query_id")
    results = post("/v1/reward", {"items": items})["results"]
    errors = [result["error"] for result in results if result["error"]]
    if errors:  # verl cannot leave an answer out, and 0 would be a lie
        raise RuntimeError(f"{len(errors)} of {len(items)} answers cannot be priced: {errors[0]}")
    return [{key: float(result[key]) for key in ("score", "acc", "format", "n_sub")} for result in results]
