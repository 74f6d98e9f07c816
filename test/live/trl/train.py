"""Trains a one-layer Llama with random weights by TRL's GRPOTrainer against a running reward server.

    python train.py '{"data": "train.json", "shim": "examples/integrations/python", "seed": 1, "steps": 600, "shuffle": false}'

The last line it prints is JSON: the mean reward of each generation as the server gave it, how many answers were priced, the
mean rewards that TRL logged, and how many answers a generation has. With "shuffle" TRL gets the same rewards at random.
The model learns the form of an answer before, from random words: from nothing, no answer would ever pass the format gate.
"""

import json
import os
import random
import sys

SETTINGS = json.loads(sys.argv[1])
FOLDER = os.path.dirname(SETTINGS["data"])
os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=os.path.join(FOLDER, "hub"), CUDA_VISIBLE_DEVICES="")

import torch
from datasets import load_dataset
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed
from trl import GRPOConfig, GRPOTrainer

OPEN, CLOSE, SEPARATOR = '{"query":"', '"}', "%%"
PAD, EOS, UNKNOWN = "<pad>", "<eos>", "<unk>"
TURNS = ["<|system|>", "<|user|>", "<|assistant|>"]
TEMPLATE = "{% for m in messages %}<|{{ m.role }}|> {{ m.content }} {% endfor %}<|assistant|> "


def tokenizer_for(prompts):
    words = sorted({word for prompt in prompts for word in prompt.split()})
    vocabulary = [PAD, EOS, UNKNOWN, *TURNS, OPEN, CLOSE, SEPARATOR, *words]
    level = Tokenizer(models.WordLevel({word: at for at, word in enumerate(vocabulary)}, unk_token=UNKNOWN))
    level.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_object=level, pad_token=PAD, eos_token=EOS, unk_token=UNKNOWN, padding_side="left"
    )
    tokenizer.chat_template = TEMPLATE
    return tokenizer, words


def model_for(tokenizer):
    return LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer), hidden_size=96, intermediate_size=192, num_hidden_layers=1,
            num_attention_heads=4, max_position_embeddings=64, pad_token_id=tokenizer.pad_token_id,
            eos_token_id=tokenizer.eos_token_id, bos_token_id=None, tie_word_embeddings=False,
        )
    )


def learn_the_form(model, tokenizer, prompts, words, seed, steps=150):
    """Well-formed answers of random words, to prompts they have nothing to do with."""
    draw = random.Random(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)

    def part():
        return " ".join(draw.choices(words, k=draw.choice([1, 2])))

    for _ in range(steps):
        texts = []
        for _ in range(64):
            inside = part() if draw.random() < 0.5 else f"{part()} {SEPARATOR} {part()}"
            texts.append(f"<|user|> {draw.choice(prompts)} <|assistant|> {OPEN} {inside} {CLOSE} {EOS}")
        batch = tokenizer(texts, return_tensors="pt", padding=True)
        answer = tokenizer.convert_tokens_to_ids(TURNS[2])
        behind = (batch.input_ids == answer).cumsum(1) > 0
        labels = batch.input_ids.masked_fill(~behind | (batch.input_ids == answer), -100)
        model(input_ids=batch.input_ids, attention_mask=batch.attention_mask, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()


def main(data, shim, seed, steps, shuffle):
    sys.path.insert(0, shim)
    from querent_trl import querent_reward

    set_seed(seed)
    # A control that has lost all signal has gradients so small that processors take ten times as long for them.
    torch.set_flush_denormal(True)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "2")))
    dataset = load_dataset("json", data_files=data, split="train")
    prompts = [row["content"] for rows in dataset["prompt"] for row in rows]
    tokenizer, words = tokenizer_for(prompts)
    model = model_for(tokenizer)
    learn_the_form(model, tokenizer, prompts, words, seed)

    means, priced, shuffler = [], 0, random.Random(seed)

    def reward(completions, **columns):
        nonlocal priced
        rewards = querent_reward(completions, **columns)
        priced += len(rewards)
        means.append(sum(rewards) / len(rewards))
        if shuffle:
            shuffler.shuffle(rewards)
        return rewards

    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=reward,
        train_dataset=dataset,
        args=GRPOConfig(
            output_dir=os.path.join(FOLDER, f"run-{seed}"), seed=seed, use_cpu=True, bf16=False,
            learning_rate=1e-3, lr_scheduler_type="constant", max_steps=steps, num_iterations=2,
            per_device_train_batch_size=128, num_generations=16, max_completion_length=9,
            loss_type="dapo", epsilon_high=0.28, beta=0.0,
            logging_steps=2, save_strategy="no", report_to="none", disable_tqdm=True,
        ),
    )
    trainer.train()
    logged = [entry for entry in trainer.state.log_history if "reward" in entry]
    print(json.dumps({
        "means": means,
        "priced": priced,
        "logged": [entry["reward"] for entry in logged],
        "batch": trainer.args.generation_batch_size,
    }))


if __name__ == "__main__":
    main(**SETTINGS)
