"""Two steps of TRL's GRPOTrainer with rollouts of agents, and what it made of them as JSON.

    QUERENT_URL=… QUERENT_POLICY=acqo python train_agents.py <folder of the adapters> <file of `querent export --to trl`>
"""

import json
import os
import sys

SHIMS, DATA = sys.argv[1:]
FOLDER = os.path.dirname(DATA)
os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=os.path.join(FOLDER, "hub"), CUDA_VISIBLE_DEVICES="")
os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"
sys.path.insert(0, SHIMS)

from datasets import load_dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast, set_seed
from trl import GRPOConfig, GRPOTrainer

from agents_trl import querent_advantage, querent_rollouts

TEMPLATE = "{% for m in messages %}<{{ m.role }}> {{ m.content }} {% endfor %}<assistant> "


def main():
    set_seed(1)
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {letter: at for at, letter in enumerate(["<pad>", "<eos>", *letters])}
    level = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    level.pre_tokenizer, level.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=level, pad_token="<pad>", eos_token="<eos>")
    tokenizer.chat_template = TEMPLATE
    model = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=len(tokenizer), hidden_size=16, intermediate_size=16, num_hidden_layers=1,
            num_attention_heads=2, max_position_embeddings=4096, pad_token_id=0, eos_token_id=1, bos_token_id=None,
        )
    )
    seen = []

    def reward(completions, advantage, agent, **_):
        seen.extend([one[-1]["content"], value, name] for one, value, name in zip(completions, advantage, agent))
        return querent_advantage(advantage)

    before = [one.detach().clone() for one in model.parameters()]
    trainer = GRPOTrainer(
        model=model,
        processing_class=tokenizer,
        reward_funcs=reward,
        rollout_func=querent_rollouts,
        train_dataset=load_dataset("json", data_files=DATA, split="train").select(range(4)),
        args=GRPOConfig(
            output_dir=os.path.join(FOLDER, "run"), use_cpu=True, bf16=False, learning_rate=1e-3, max_steps=2,
            per_device_train_batch_size=8, num_generations=4, scale_rewards="none", max_completion_length=64,
            beta=0.0, logging_steps=1, save_strategy="no", report_to="none", disable_tqdm=True,
        ),
    )
    trainer.train()
    changed = any((one != other).any().item() for one, other in zip(before, model.parameters()))
    print(json.dumps({"seen": seen, "changed": changed}))


if __name__ == "__main__":
    main()
