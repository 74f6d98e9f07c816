"""C-3PO's agents in TRL (1.16 or newer), with the settings of the paper's Table 7 as far as GRPO has them.

    querent reward-server --index my-index --queries queries.jsonl --qrels qrels/train.tsv --set requestTimeout=10m \\
      --chat-url http://…/v1 --chat-model <the frozen model> --set agentsUrl=http://<the server of the trained weights>/v1 &
    querent export my-collection --to trl --index my-index --out train.json
    QUERENT_POLICY=c3po QUERENT_TIMEOUT=600 accelerate launch trl_agents.py --data train.json --output proxy

The server of agentsUrl has to serve the weights as they are now: rollouts of older weights teach, but less and less. Begin with
a model that imitated good rollouts (`querent export --rollouts … --to sft`), as the paper does.
"""

import argparse
import os
import sys

from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python"))
from agents_trl import querent_advantage, querent_rollouts


def settings(**changes):
    """Table 7 unless it says otherwise."""
    defaults = {
        "learning_rate": 5e-7,
        "beta": 0.005,  # the KL coefficient
        "lr_scheduler_type": "cosine",
        "num_generations": 8,  # ours: of the up to 11 leaves of a question's tree
        "per_device_train_batch_size": 8,
        "gradient_accumulation_steps": 16,  # 8 GPUs x 8 completions x 16 = 1024, the paper's batch
        "scale_rewards": "none",  # the rewards are advantages
        "max_completion_length": 2048,  # for TRL's buffers; the agents' own prompts limit what they write
        "num_iterations": 1,  # ours
        "bf16": True,
        "logging_steps": 1,
    }
    return GRPOConfig(**{**defaults, **changes})


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--data", required=True)
    options.add_argument("--output", required=True)
    options.add_argument("--model", default="Qwen/Qwen2-1.5B")  # the paper's larger proxy
    options.add_argument("--epochs", type=float, default=1)
    given = options.parse_args()
    trainer = GRPOTrainer(
        model=given.model,
        reward_funcs=querent_advantage,
        rollout_func=querent_rollouts,
        train_dataset=load_dataset("json", data_files=given.data, split="train"),
        args=settings(output_dir=given.output, num_train_epochs=given.epochs),
    )
    trainer.train()
    trainer.save_model(given.output)


if __name__ == "__main__":
    main()
