"""Calls the shims as the trainers do, without any package, and prints what came of it as JSON.

    QUERENT_URL=… python -S call_shims.py <folder of the shims>
"""

import asyncio
import json
import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace

sys.path.insert(0, sys.argv[1])

import querent_openrlhf
import querent_slime
import querent_trl
import querent_verl

GOLD = ["arlow-stadium"]
LABEL = json.dumps({"query_id": "q0", "gold": GOLD})
RIGHT, WRONG, BROKEN = '{"query": "stadium of arlow"}', '{"query": "castle of fenholt"}', "no"


def verl(text, **others):
    return querent_verl.compute_score(
        data_source="querent/world", solution_str=text, ground_truth=GOLD, extra_info={"query_id": "q0"}, **others
    )


def message_of(work):
    try:
        return f"no error: {work()}"
    except RuntimeError as error:
        return str(error)


class Flaky(BaseHTTPRequestHandler):
    """Has too much to do for the first two requests of each three; counts them all."""

    requests = []

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.requests.append(self.path)
        busy = len(self.requests) % 3 != 0
        body = b"{}" if busy else b'{"results": [{"score": 1, "acc": 1, "format": 1, "n_sub": 1, "error": null}]}'
        self.send_response(503 if busy else 200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def flaky():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Flaky)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    querent_verl.URL = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        return verl(RIGHT)["score"], len(Flaky.requests)
    finally:
        server.shutdown()
        server.server_close()


def main():
    found = {}
    texts = [RIGHT, WRONG, BROKEN] * 100
    with ThreadPoolExecutor(64) as pool:
        found["verl concurrent"] = [answer["score"] for answer in pool.map(verl, texts)]
    found["verl keys"] = verl(RIGHT)
    found["verl options"] = verl(RIGHT, eta=0.5, reward_router_address=None)["score"]
    found["verl batch"] = querent_verl.compute_score(
        data_sources=["w"] * 3, solution_strs=[RIGHT, WRONG, BROKEN], ground_truths=[GOLD] * 3, extra_infos=[None] * 3
    )
    found["verl error"] = message_of(lambda: querent_verl.compute_score(solution_str=RIGHT, ground_truth=None))

    chats = [[{"role": "assistant", "content": text}] for text in (RIGHT, BROKEN)]
    logged = {}
    found["trl"] = querent_trl.querent_reward(chats, gold=[GOLD] * 2, query_id=["q0"] * 2, log_metric=logged.__setitem__)
    found["trl logged"] = logged
    found["trl error"] = querent_trl.querent_reward([RIGHT, WRONG], gold=[GOLD, []])
    found["trl all errors"] = message_of(lambda: querent_trl.querent_reward([RIGHT], gold=[None]))

    prompt = "<|im_start|>user\nwhere?<|im_end|>\n<|im_start|>assistant\n"
    queries = [f"{prompt}{text}<|im_end|>" for text in (RIGHT, BROKEN)]
    found["openrlhf"] = querent_openrlhf.reward_func(queries, [prompt] * 2, [LABEL] * 2)
    found["openrlhf error"] = message_of(lambda: querent_openrlhf.reward_func(queries[:1], [prompt], ["{}"]))

    samples = [SimpleNamespace(prompt="where?", response=text, label=LABEL) for text in (RIGHT, BROKEN)]
    plain, keyed = SimpleNamespace(reward_key=None), SimpleNamespace(reward_key="score")
    found["slime"] = asyncio.run(querent_slime.querent_reward(plain, samples[0]))
    found["slime list"] = asyncio.run(querent_slime.querent_reward(plain, samples))
    found["slime key"] = asyncio.run(querent_slime.querent_reward(keyed, samples))[0]["score"]

    for shim in (querent_verl, querent_trl):
        shim.time.sleep = lambda seconds: None
    found["busy"] = flaky()
    querent_trl.URL = "http://127.0.0.1:9"
    found["nobody"] = message_of(lambda: querent_trl.querent_reward([RIGHT], gold=[GOLD]))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
