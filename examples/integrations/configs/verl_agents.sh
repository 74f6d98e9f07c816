#!/usr/bin/env bash
# C-3PO's agents in verl, with PPO and a critic as in the paper's Table 7, on one node of 8 GPUs. Not run by us: it needs GPUs.
#
#   querent reward-server --index my-index --queries queries.jsonl --qrels qrels/train.tsv --set requestTimeout=10m \
#     --chat-url http://…/v1 --chat-model <the frozen model> --set agentsUrl=http://<verl's server of the weights>/v1 &
#   querent export my-collection --to verl --index my-index --out train.json
#   querent export my-collection --to verl --index my-index --split dev --out valid.json
#   VALID=valid.json MODEL=<a model that imitated good rollouts> bash verl_agents.sh
#
# "ours" is no setting of the paper's.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
VALID=${VALID:?"name a file of other queries than TRAIN: querent export --split dev --to verl"}
export QUERENT_URL=${QUERENT_URL:-http://127.0.0.1:8177}
export QUERENT_POLICY=${QUERENT_POLICY:-c3po}
# Ours: a chain asks some ten prompts.
export QUERENT_TIMEOUT=${QUERENT_TIMEOUT:-600}
# verl loads the agent loop by the name of its module.
export PYTHONPATH="$here/../python${PYTHONPATH:+:$PYTHONPATH}"

loops=$(mktemp --suffix=.yaml)
trap 'rm -f "$loops"' EXIT
printf -- '- name: querent\n  _target_: agents_verl.QuerentAgentLoop\n' > "$loops"

settings=(
  data.train_files="${TRAIN:-train.json}"
  data.val_files="$VALID"
  data.prompt_key=prompt
  # verl's own prompts are never asked; those of the agents are up to this long.
  data.max_prompt_length=4096
  data.max_response_length=2048
  data.train_batch_size=1024
  # A critic, and the value of a completion as the reward of its last token.
  algorithm.adv_estimator=gae
  algorithm.use_kl_in_reward=True
  algorithm.kl_ctrl.kl_coef=0.005
  actor_rollout_ref.model.path="${MODEL:-Qwen/Qwen2-1.5B}"
  actor_rollout_ref.actor.optim.lr=5e-7
  critic.optim.lr=5e-6
  critic.model.path="${MODEL:-Qwen/Qwen2-1.5B}"
  # Ours: as many as the card holds.
  actor_rollout_ref.actor.use_dynamic_bsz=True
  actor_rollout_ref.actor.ppo_mini_batch_size=256
  critic.use_dynamic_bsz=True
  actor_rollout_ref.rollout.name=vllm
  actor_rollout_ref.rollout.mode=async
  actor_rollout_ref.rollout.n=1
  # Ours: `querent rollouts` has the same default.
  actor_rollout_ref.rollout.temperature=0.8
  actor_rollout_ref.rollout.agent.agent_loop_config_path="$loops"
  actor_rollout_ref.rollout.agent.default_agent_loop=querent
  trainer.project_name=querent-agents
  trainer.experiment_name="$QUERENT_POLICY"
  trainer.n_gpus_per_node=8
  trainer.nnodes=1
  trainer.total_epochs="${EPOCHS:-1}"
)

python3 -m verl.trainer.main_ppo "${settings[@]}" "$@"
