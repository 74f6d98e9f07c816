#!/usr/bin/env bash
# C-3PO's agents in OpenRLHF 0.11, the paper's own trainer, with the settings of its Table 7. Not run by us: it needs GPUs.
#
#   querent reward-server --index my-index --queries queries.jsonl --qrels qrels/train.tsv --set requestTimeout=10m \
#     --chat-url http://…/v1 --chat-model <the frozen model> --set agentsUrl=http://<the server of the trained weights>/v1 &
#   querent export my-collection --to openrlhf --index my-index --out train.json
#   MODEL=<a model that imitated good rollouts> bash openrlhf_agents.sh
#
# Before 0.11 names have no groups: --agent_func_path, --actor_learning_rate … "ours" is no setting of the paper's.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export QUERENT_URL=${QUERENT_URL:-http://127.0.0.1:8177}
export QUERENT_POLICY=${QUERENT_POLICY:-c3po}
# Ours: a chain asks some ten prompts.
export QUERENT_TIMEOUT=${QUERENT_TIMEOUT:-600}

settings=(
  --actor.model_name_or_path "${MODEL:-Qwen/Qwen2-1.5B}"
  # The value model begins as the same model.
  --critic.model_name_or_path "${MODEL:-Qwen/Qwen2-1.5B}"
  --train.agent_func_path "$here/../python/agents_openrlhf.py"
  --data.prompt_dataset "${TRAIN:-train.json}"
  --data.input_key prompt
  --data.label_key label
  --data.apply_chat_template
  --data.max_len 6144
  --rollout.max_new_tokens 2048
  --rollout.n_samples_per_prompt 1
  # Ours: `querent rollouts` has the same default.
  --rollout.temperature 0.8
  --rollout.batch_size 1024
  --train.batch_size 1024
  --train.num_episodes "${EPOCHS:-1}"
  --algo.advantage.estimator gae
  --algo.kl.init_coef 0.005
  --actor.adam.lr 5e-7
  --critic.adam.lr 5e-6
  --actor.gradient_checkpointing_enable
  --actor.num_nodes 1
  --actor.num_gpus_per_node 8
  --critic.num_nodes 1
  --critic.num_gpus_per_node 8
  --ref.num_nodes 1
  --ref.num_gpus_per_node 8
  --vllm.num_engines 8
  --vllm.tensor_parallel_size 1
  --vllm.enable_sleep
  --train.colocate_all
  --ds.enable_sleep
  --ds.zero_stage 2
  --ds.param_dtype bf16
  --ckpt.output_dir "${OUTPUT:-checkpoints/agents}"
  --ckpt.save_hf
)

python3 -m openrlhf.cli.train_ppo_ray "${settings[@]}" "$@"
