"""Trains a one-layer Llama with random weights by TRL's GRPOTrainer on rows of `querent export --rollouts … --to steps`.

    python train_steps.py '{"data": "steps.jsonl", "seed": 1, "steps": 80, "exchange": false}'

The rows are of an agent that chooses a way: a router or a planner. The model reads the question of a row and writes a way as one token;
its reward is the value that the rows have for that way and query; to "exchange" them, the value of the next way. The last line that it
prints is JSON: the mean reward of each generation by the rows, whatever the model got. The model learns before that an answer is one of
the ways.
"""

import json
import os
import random
import re
import sys

SETTINGS = json.loads(sys.argv[1])
FOLDER = os.path.dirname(SETTINGS["data"])
os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=os.path.join(FOLDER, "hub"), CUDA_VISIBLE_DEVICES="")

import torch
from datasets import Dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed
from trl import GRPOConfig, GRPOTrainer

PAD, EOS, UNKNOWN, ASSISTANT = "<pad>", "<eos>", "<unk>", "<|assistant|>"
TEMPLATE = "{% for m in messages %}{{ m.content }} {% endfor %}" + ASSISTANT + " "


def way_of(completion):
    """What a completion chooses, without a query behind it, as one word."""
    bracket = re.match(r"\s*\[[^\]]*\]", completion)
    return (bracket.group() if bracket else completion).strip().replace(" ", "_")


def read(path):
    """The last message of each query, which holds the question, and (query, way) -> its mean value."""
    messages, values = {}, {}
    with open(path) as file:
        for row in map(json.loads, file):
            # A planner also plans sub-questions, which have messages of their own.
            asked = row["messages"][-1:]
            if messages.setdefault(row["query_id"], asked) != asked:
                continue
            values.setdefault((row["query_id"], way_of(row["completion"])), []).append(row["value"])
    return messages, {key: sum(each) / len(each) for key, each in values.items()}


def main(data, seed, steps, exchange):
    set_seed(seed)
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    messages, values = read(data)
    ways = sorted({way for _, way in values})
    words = sorted({word for each in messages.values() for one in each for word in one["content"].split()})
    vocabulary = list(dict.fromkeys([PAD, EOS, UNKNOWN, ASSISTANT, *ways, *words]))
    level = Tokenizer(models.WordLevel({word: at for at, word in enumerate(vocabulary)}, unk_token=UNKNOWN))
    level.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=level, pad_token=PAD, eos_token=EOS, unk_token=UNKNOWN, padding_side="left"
    )
    tokenizer.chat_template = TEMPLATE
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(vocabulary), hidden_size=32, intermediate_size=64, num_hidden_layers=1,
            num_attention_heads=4, max_position_embeddings=64, pad_token_id=0, eos_token_id=1, bos_token_id=None,
        )
    )
    learn_the_ways(model, tokenizer, ways, list(messages.values()), seed)

    means, next_way = [], dict(zip(ways, ways[1:] + ways[:1]))

    def reward(completions, query_id, **_):
        chosen = [(query, way_of(one[-1]["content"])) for query, one in zip(query_id, completions)]
        true = [values.get(key, 0) for key in chosen]
        means.append(sum(true) / len(true))
        return [values.get((query, next_way.get(way)), 0) for query, way in chosen] if exchange else true

    rows = [{"prompt": each, "query_id": query} for query, each in messages.items()]
    GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=reward,
        train_dataset=Dataset.from_list(rows),
        args=GRPOConfig(
            output_dir=os.path.join(FOLDER, f"steps-{seed}"), seed=seed, use_cpu=True, bf16=False, learning_rate=2e-3,
            lr_scheduler_type="constant", max_steps=steps, per_device_train_batch_size=64, num_generations=8,
            max_completion_length=2, beta=0.0, save_strategy="no", report_to="none", disable_tqdm=True,
        ),
    ).train()
    print(json.dumps({"means": means, "ways": ways, "best": mean_of_best(values, messages)}))


def mean_of_best(values, messages):
    return sum(max(value for (query, _), value in values.items() if query == one) for one in messages) / len(messages)


def learn_the_ways(model, tokenizer, ways, prompts, seed, steps=40):
    """Ways at random, to prompts that they have nothing to do with."""
    draw = random.Random(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(steps):
        texts = [
            tokenizer.apply_chat_template(draw.choice(prompts), tokenize=False) + f"{draw.choice(ways)} {EOS}"
            for _ in range(16)
        ]
        batch = tokenizer(texts, return_tensors="pt", padding=True)
        labels = batch.input_ids.clone()
        labels[:, :-2] = -100
        model(input_ids=batch.input_ids, attention_mask=batch.attention_mask, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()


if __name__ == "__main__":
    main(**SETTINGS)
