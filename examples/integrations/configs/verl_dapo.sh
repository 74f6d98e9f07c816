#!/usr/bin/env bash
# ACQO's training in verl with verl-recipe's DAPO, on one node of 8 GPUs. Not run by us: it needs GPUs.
#
#   querent reward-server --index my-index &
#   querent export my-collection --to verl --index my-index --out train.json
#   querent export my-collection --to verl --index my-index --split dev --out valid.json
#   VALID=valid.json STAGE=1 EPOCHS=3 bash verl_dapo.sh
#   VALID=valid.json STAGE=2 EPOCHS=6 MODEL=checkpoints/acqo-stage-1/global_step_N/actor/huggingface bash verl_dapo.sh
#
# Start it in verl's folder, with verl-recipe as its recipe/ (git submodule update --init recipe), and in no other: the recipe
# looks for verl/trainer/config where it is started. Where verl-recipe is elsewhere, put it on
# PYTHONPATH and set RECIPE=dapo.main_dapo. N is what checkpoints/acqo-stage-1/latest_checkpointed_iteration.txt says.
# Reasons name a section of the ACQO paper; "ours" is no setting of the paper's.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
STAGE=${STAGE:-1}
# A.2: Stage I 2 epochs (TopiOCQA) or 3 (HotpotQA); Stage II 4 to 10.
EPOCHS=${EPOCHS:-3}
# A.2: the paper's model.
MODEL=${MODEL:-Qwen/Qwen2.5-3B}
# The names of the reward's settings moved in 0.7.1, which knows the old ones as well.
VERL=${VERL:-0.8}
TRAIN=${TRAIN:-train.json}
# Without queries that were not trained on, its curves would show nothing.
VALID=${VALID:?"name a file of other queries than TRAIN: querent export --split dev --to verl, or some rows of TRAIN moved there"}
export QUERENT_URL=${QUERENT_URL:-http://127.0.0.1:8177}

if [[ $VERL == 0.7* ]]; then
  reward=(
    custom_reward_function.path="$here/../python/querent_verl.py"
    custom_reward_function.name=compute_score
    # 3.2: the subset maximum in Stage I, all sub-queries in Stage II.
    +custom_reward_function.reward_kwargs.stage="$STAGE"
    # DAPO's manager; the recipe has its overlong buffer off, as it should be: no answer of 256 tokens is long.
    reward_model.reward_manager=dapo
    ++reward_model.reward_kwargs.max_resp_len=256
  )
else
  reward=(
    reward.custom_reward_function.path="$here/../python/querent_verl.py"
    reward.custom_reward_function.name=compute_score
    +reward.custom_reward_function.reward_kwargs.stage="$STAGE"
    reward.reward_manager.name=dapo
    reward.num_workers=8
    # Before 0.9 the manager insists on it even where the buffer is off.
    ++reward.reward_kwargs.max_resp_len=256
  )
fi

settings=(
  data.train_files="$TRAIN"
  data.val_files="$VALID"
  data.prompt_key=prompt
  # A.2: 512 tokens for HotpotQA; conversations (TopiOCQA) need 1536, of which the end counts.
  data.max_prompt_length="${PROMPT_TOKENS:-512}"
  data.truncation=left
  # A.2: three sub-queries take a fraction of it.
  data.max_response_length=256
  # A.2: 256 queries an update, of 512 that were rolled out: what the group filter drops is made up for.
  data.train_batch_size=256
  data.gen_batch_size=512

  algorithm.adv_estimator=grpo
  # A.2: no KL penalty, neither in the reward nor in the loss, as DAPO has it.
  algorithm.use_kl_in_reward=False
  actor_rollout_ref.actor.use_kl_loss=False
  # A.2: groups of equal rewards teach nothing. seq_reward is our continuous reward; rewards are rounded to 6 decimals, and 8 of
  # the same have a deviation of exactly 0.
  algorithm.filter_groups.enable=True
  algorithm.filter_groups.metric=seq_reward
  # verl's own limit in the paper's runs: without the curriculum training ended here for want of groups that differ.
  algorithm.filter_groups.max_num_gen_batches=20

  actor_rollout_ref.model.path="$MODEL"
  actor_rollout_ref.model.use_remove_padding=True
  actor_rollout_ref.model.enable_gradient_checkpointing=True
  # A.2: small, since the policy starts well and the reward has no ceiling nearby.
  actor_rollout_ref.actor.optim.lr=1e-6
  # A.2: 64 queries a step, 8 sequences a GPU.
  actor_rollout_ref.actor.ppo_mini_batch_size=64
  actor_rollout_ref.actor.ppo_micro_batch_size_per_gpu=8
  actor_rollout_ref.rollout.log_prob_micro_batch_size_per_gpu=8
  # A.2: dynamic batches, which count tokens where the sizes above count sequences.
  actor_rollout_ref.actor.use_dynamic_bsz=True
  actor_rollout_ref.actor.ppo_max_token_len_per_gpu=11408
  actor_rollout_ref.rollout.log_prob_use_dynamic_bsz=True
  actor_rollout_ref.rollout.log_prob_max_token_len_per_gpu=11408
  # A.2.
  actor_rollout_ref.actor.grad_clip=1.0
  actor_rollout_ref.actor.entropy_coeff=0
  # A.2: clip-higher leaves room for rewrites that are unlikely yet; the dual clip bounds what one bad answer can do.
  actor_rollout_ref.actor.clip_ratio_low=0.2
  actor_rollout_ref.actor.clip_ratio_high=0.28
  actor_rollout_ref.actor.clip_ratio_c=10.0
  # DAPO: every token counts the same, however long its answer is.
  actor_rollout_ref.actor.loss_agg_mode=token-mean

  actor_rollout_ref.rollout.name=vllm
  # A.2: K = 8, which also is what eq. 7 takes its mean over.
  actor_rollout_ref.rollout.n=8
  # A.2: sampled a little below the model's own distribution, so that most answers keep to the grammar.
  actor_rollout_ref.rollout.temperature=0.8
  actor_rollout_ref.rollout.top_p=0.8
  actor_rollout_ref.rollout.top_k=-1
  # A.2.
  actor_rollout_ref.rollout.val_kwargs.do_sample=True
  actor_rollout_ref.rollout.val_kwargs.temperature=0.7
  actor_rollout_ref.rollout.val_kwargs.top_p=0.8
  actor_rollout_ref.rollout.val_kwargs.top_k=20
  # A.2, for 80 GB cards.
  actor_rollout_ref.rollout.gpu_memory_utilization=0.8
  actor_rollout_ref.rollout.max_num_batched_tokens=11408

  trainer.project_name=acqo
  trainer.experiment_name="acqo-stage-$STAGE"
  trainer.default_local_dir="checkpoints/acqo-stage-$STAGE"
  trainer.n_gpus_per_node=8
  trainer.nnodes=1
  trainer.total_epochs="$EPOCHS"
  # Ours: the curves in a file; five checkpoints of a short stage.
  trainer.logger='["console","tensorboard"]'
  trainer.save_freq=20
  trainer.test_freq=20
  # Ours: with hf_model the weights are saved as a model that Stage II can begin with; the shards alone are none.
  actor_rollout_ref.actor.checkpoint.save_contents='[model,optimizer,extra,hf_model]'
)

python3 -m "${RECIPE:-recipe.dapo.main_dapo}" "${settings[@]}" "${reward[@]}" "$@"
