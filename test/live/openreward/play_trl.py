"""TRL's adapter of the Open Reward Standard plays an episode on a running server, as GRPOTrainer does it."""

import json
import os
import sys

sys.path.append(sys.argv[1])  # where the client is that the adapter needs
from trl.experimental.openreward import OpenRewardSpec

spec = OpenRewardSpec(os.environ["QUERENT_URL"], num_tasks=2)
environment = spec.environment_factory()
prompt = environment.reset(**spec.train_dataset[0])
shown = environment.search(query="stadium of arlow", k=1)
environment.submit(documents=["arlow-stadium"])
rewards = spec.reward_funcs(environments=[environment])
environment._close()
print(json.dumps({"rows": len(spec.train_dataset), "prompt": prompt, "shown": shown, "rewards": rewards}))
