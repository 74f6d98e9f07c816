"""ACQO's training in TRL (1.13 or newer), with the settings of the paper's A.2 as far as TRL has them.

    querent reward-server --index my-index --set stage=1 &
    querent export my-collection --to trl --index my-index --out train.json
    accelerate launch trl_grpo.py --data train.json --output stage-1 --epochs 3
    (the same with --set stage=2 at the server, and --model stage-1)

--trial makes three steps of two answers each, on a processor: it shows that all fits together.

TRL has no filter for groups of equal rewards; it logs frac_reward_zero_std. Where that stays near 1, see docs/training-llm.md.
"""

import argparse
import os
import sys

from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from querent_trl import querent_reward


def settings(**changes):
    """A.2 unless it says otherwise: 8 GPUs write 256 queries of 8 answers, and learn from them in 4 steps of 64 queries."""
    defaults = {
        "num_generations": 8,  # K; a group of 8 equal rewards has a deviation of exactly 0
        "per_device_train_batch_size": 8,  # the paper's micro batch: one group
        "steps_per_generation": 32,  # TRL counts micro batches: 8 GPUs x 8 answers x 32 = 256 queries x 8
        # 8 GPUs x 8 answers x 8 = 64 queries a step. As many as steps_per_generation would be one step: then nothing has
        # changed since the answers were written, and nothing is ever clipped.
        "gradient_accumulation_steps": 8,
        "learning_rate": 1e-6,  # small: the policy starts well
        "lr_scheduler_type": "constant",  # ours: the paper names no schedule
        "max_grad_norm": 1.0,
        "loss_type": "dapo",  # every token counts the same
        "beta": 0.0,  # no KL term, and no reference model in memory
        "epsilon": 0.2,
        "epsilon_high": 0.28,  # clip-higher: room for rewrites that are unlikely yet
        "delta": 10.0,  # the dual clip for bad answers, verl's clip_ratio_c
        "scale_rewards": "group",  # GRPO's deviation of the group
        "temperature": 0.8,
        "top_p": 0.8,
        "top_k": 0,  # off, the paper's -1
        "max_completion_length": 256,  # three sub-queries take a fraction of it
        "num_iterations": 1,  # ours: every answer is learned from once
        "bf16": True,
        "logging_steps": 1,
        "save_steps": 80,  # ours: every 20 times 256 queries
    }
    return GRPOConfig(**{**defaults, **changes})


def trial():
    """What a laptop can do."""
    steps = {"max_steps": 3, "steps_per_generation": 1, "gradient_accumulation_steps": 1, "per_device_train_batch_size": 2}
    return {"use_cpu": True, "bf16": False, "num_generations": 2, "report_to": "none", **steps}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--data", required=True)
    options.add_argument("--output", required=True)
    options.add_argument("--model", default="Qwen/Qwen2.5-3B")  # the paper's
    options.add_argument("--epochs", type=float, default=3)  # Stage I: 2 (TopiOCQA), 3 (HotpotQA); Stage II: 4 to 10
    options.add_argument("--trial", action="store_true")
    given = options.parse_args()
    trainer = GRPOTrainer(
        model=given.model,
        reward_funcs=querent_reward,
        train_dataset=load_dataset("json", data_files=given.data, split="train"),
        args=settings(output_dir=given.output, num_train_epochs=given.epochs, **(trial() if given.trial else {})),
    )
    trainer.train()
    trainer.save_model(given.output)


if __name__ == "__main__":
    main()
