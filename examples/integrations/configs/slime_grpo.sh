#!/usr/bin/env bash
# ACQO's training in slime on one node of 8 GPUs, from a checkout of slime. Not run by us: it needs GPUs.
#
#   querent reward-server --index my-index --set stage=1 &
#   querent export my-collection --to slime --index my-index --out train.jsonl
#   bash slime_grpo.sh     (in slime's folder, with its model arguments in MODEL_ARGS_FILE)
#   (again with --set stage=2 at the server, and REF=checkpoints/stage-1 LOAD=checkpoints/stage-2 SAVE=checkpoints/stage-2)
#
# Where LOAD has no checkpoint yet, slime begins at rollout 0 with REF's weights and a new optimizer. LOAD=checkpoints/stage-1
# would resume Stage I, whose last rollout has been: slime would end at once, with nothing trained and no error.
# Reasons name a section of the ACQO paper; "ours" is no setting of the paper's.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# slime keeps a model's architecture in a file of its own: MODEL_ARGS.
source "${MODEL_ARGS_FILE:-scripts/models/qwen2.5-3B.sh}"
export QUERENT_URL=${QUERENT_URL:-http://127.0.0.1:8177}
export PYTHONPATH="$here/../python:${PYTHONPATH:-}"

settings=(
  # A.2: the paper's model.
  --hf-checkpoint "${MODEL:-Qwen2.5-3B}"
  --ref-load "${REF:-Qwen2.5-3B_torch_dist}"
  --load "${LOAD:-checkpoints/stage-1}"
  --save "${SAVE:-checkpoints/stage-1}"
  --save-interval 20

  --prompt-data "${TRAIN:-train.jsonl}"
  --input-key prompt
  --label-key label
  --apply-chat-template
  --rollout-shuffle
  # One request for a whole group; slime has no evaluation with --group-rm. Without the shim, which is one request an answer:
  # --rm-type remote_rm --rm-url "$QUERENT_URL/slime".
  --custom-rm-path querent_slime.querent_reward
  --group-rm
  # A.2: 256 queries an update, K = 8.
  --rollout-batch-size 256
  --n-samples-per-prompt 8
  # A.2: steps of 64 queries, 512 answers.
  --global-batch-size 512
  # A.2: 85,000 queries x 3 epochs / 256 for HotpotQA; count yours.
  --num-rollout "${ROLLOUTS:-1000}"
  --rollout-max-prompt-len "${PROMPT_TOKENS:-512}"
  --rollout-max-response-len 256
  --rollout-temperature 0.8
  --rollout-top-p 0.8
  # A.2: groups of equal rewards are rolled out anew, twice as many queries at a time.
  --over-sampling-batch-size 512
  --dynamic-sampling-filter-path slime.rollout.filter_hub.dynamic_sampling_filters.check_reward_nonzero_std

  --advantage-estimator grpo
  # DAPO: every token counts the same, however long its answer is.
  --calculate-per-token-loss
  # A.2: no KL penalty, no entropy bonus.
  --kl-coef 0.0
  --entropy-coef 0.0
  # A.2: clip-higher and the dual clip.
  --eps-clip 0.2
  --eps-clip-high 0.28
  --eps-clip-c 10.0

  # A.2.
  --optimizer adam
  --lr 1e-6
  --lr-decay-style constant
  --clip-grad 1.0

  # Ours: 3B fits one card.
  --tensor-model-parallel-size 1
  --use-dynamic-batch-size
  --max-tokens-per-gpu 11408
  --actor-num-nodes 1
  --actor-num-gpus-per-node 8
  --colocate
  --rollout-num-gpus-per-engine 1
  --sglang-mem-fraction-static 0.7
)

python3 train.py "${MODEL_ARGS[@]}" "${settings[@]}" "$@"
