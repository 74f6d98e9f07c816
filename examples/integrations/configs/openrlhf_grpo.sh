#!/usr/bin/env bash
# ACQO's training in OpenRLHF 0.11 on one node of 8 GPUs. Not run by us: it needs GPUs.
#
#   querent reward-server --index my-index --set stage=1 &
#   querent export my-collection --to openrlhf --index my-index --out train.json
#   bash openrlhf_grpo.sh
#   (again with --set stage=2 at the server, MODEL=checkpoints/stage-1 and OUTPUT=checkpoints/stage-2)
#
# Before 0.11 names have no groups: --remote_rm_url, --input_key, --label_key, --n_samples_per_prompt, --eps_clip_low_high …
# Reasons name a section of the ACQO paper; "ours" is no setting of the paper's.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export QUERENT_URL=${QUERENT_URL:-http://127.0.0.1:8177}

settings=(
  # A.2: the paper's model.
  --actor.model_name_or_path "${MODEL:-Qwen/Qwen2.5-3B}"
  # The shim; "$QUERENT_URL/openrlhf" does the same without it.
  --reward.remote_url "$here/../python/querent_openrlhf.py"
  --data.prompt_dataset "${TRAIN:-train.json}"
  --data.input_key prompt
  --data.label_key label
  --data.apply_chat_template
  # A.2: 512 tokens of prompt (1536 for conversations) and 256 of answer.
  --data.max_len "${MAX_LEN:-768}"
  --rollout.max_new_tokens 256
  # A.2: K = 8, sampled a little below the model's own distribution.
  --rollout.n_samples_per_prompt 8
  --rollout.temperature 0.8
  --rollout.top_p 0.8
  # A.2: 512 queries rolled out; 64 x 8 answers a step.
  --rollout.batch_size 512
  --train.batch_size 512
  --train.micro_batch_size 8
  --train.max_epochs 1
  # A.2: Stage I 2 or 3, Stage II 4 to 10.
  --train.num_episodes "${EPOCHS:-3}"
  # GRPO: the mean and deviation of the group.
  --algo.advantage.estimator group_norm
  --algo.advantage.gamma 1.0
  # A.2: no KL penalty.
  --algo.kl.init_coef 0
  # A.2: clip-higher and the dual clip.
  --actor.eps_clip_low_high 0.2 0.28
  --actor.dual_clip 10.0
  # A.2's group filter, by means: groups that all fail and groups that are all perfect are dropped. Scores are the reward as a part
  # of the best possible. A group of equal rewards in between stays; its advantages are 0.
  --algo.dynamic_filtering_enable
  --algo.dynamic_filtering_range 0 1
  # A.2.
  --actor.adam.lr 1e-6
  --actor.max_norm 1.0
  --actor.gradient_checkpointing_enable
  --actor.num_nodes 1
  --actor.num_gpus_per_node 8
  --ref.num_nodes 1
  --ref.num_gpus_per_node 8
  # Ours: 3B fits one card, so that there are eight engines.
  --vllm.num_engines 8
  --vllm.tensor_parallel_size 1
  --vllm.gpu_memory_utilization 0.6
  --vllm.sync_backend nccl
  --vllm.enable_sleep
  --train.colocate_all
  --ds.enable_sleep
  --ds.zero_stage 2
  --ds.param_dtype bf16
  --ds.packing_samples
  --ckpt.output_dir "${OUTPUT:-checkpoints/stage-1}"
  --ckpt.save_steps 20
  --ckpt.save_hf
)

python3 -m openrlhf.cli.train_ppo_ray "${settings[@]}" "$@"
