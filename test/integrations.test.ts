/** What is for other programs: the Python shims and the configurations. That they work is for the live tests. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './support/temporary-folder.ts'

const python = 'examples/integrations/python'
const configs = 'examples/integrations/configs'
const shims = readdirSync(python).filter((name) => name.startsWith('querent_'))
const read = (path: string): string => readFileSync(path, 'utf8')

/** Those of Python 3.8 and newer that the shims use; a trainer's environment has whatever packages it has. */
const standard = ['asyncio', 'http', 'json', 'os', 'time', 'urllib']

it('there is a shim for each trainer', () => {
  expect(shims).toEqual(['querent_openrlhf.py', 'querent_slime.py', 'querent_trl.py', 'querent_verl.py'])
})

describe.each(shims)('%s', (name) => {
  const source = read(`${python}/${name}`)

  it('imports the standard library alone when it is loaded', () => {
    const imported = [...source.matchAll(/^(?:import|from) ([a-z]+)/gm)].map(([, module]) => module!)
    expect(imported.length).toBeGreaterThan(0)
    expect(imported.filter((module) => !standard.includes(module))).toEqual([])
  })

  it('asks the server as the others do: trainers load one file by its path', () => {
    const post = (text: string): string => text.slice(text.indexOf('URL ='), text.indexOf('gave no reward'))
    expect(post(source)).toBe(post(read(`${python}/querent_verl.py`)))
  })
})

const adapters = readdirSync(python).filter((name) => name.startsWith('agents_'))

it('there is an adapter of rollouts for each trainer that has a place for one', () => {
  expect(adapters).toEqual(['agents_openrlhf.py', 'agents_shared.py', 'agents_trl.py', 'agents_verl.py'])
})

describe.each(adapters)('%s', (name) => {
  const source = read(`${python}/${name}`)

  it("imports the standard library, its neighbors and its trainer's base class", () => {
    const imported = [...source.matchAll(/^(?:import|from) ([a-z_]+)/gm)].map(([, module]) => module!)
    const trainer = name.replace(/agents_|\.py/g, '')
    const known = [...standard, 'random', 'sys', 'agents_shared', 'querent_trl', trainer]
    expect(imported.filter((module) => !known.includes(module))).toEqual([])
  })
})

const hasPython = spawnSync('python3', ['--version']).status === 0

it.skipIf(!hasPython)("slime's shim passes on all that a label says (needs python3)", () => {
  const labels = [{ query_id: 'q0', gold: ['d1'], options: { stage: 1 } }, { query_id: 'q1' }]
  const program = `
import asyncio, json, sys
from types import SimpleNamespace
sys.path.insert(0, ${JSON.stringify(python)})
import querent_slime
def post(path, body):
    print(json.dumps(body["items"]))
    return {"results": [{"score": 1, "error": None} for _ in body["items"]]}
querent_slime.post = post
samples = [SimpleNamespace(response="{}", label=label) for label in json.loads(sys.argv[1])]
rewards = asyncio.run(querent_slime.querent_reward(SimpleNamespace(), samples))
assert rewards == [1, 1], rewards`
  const asked = execFileSync(
    'python3',
    ['-B', '-c', program, JSON.stringify(labels.map((label) => JSON.stringify(label)))],
    { encoding: 'utf8' },
  )
  expect(JSON.parse(asked)).toEqual([
    { completion: '{}', query_id: 'q0', ground_truth: ['d1'], options: { stage: 1 } },
    { completion: '{}', query_id: 'q1', ground_truth: null, options: null },
  ])
})

it.each(readdirSync(configs).filter((name) => name.endsWith('.sh')))('%s is a script', (name) => {
  expect(() => execFileSync('bash', ['-n', `${configs}/${name}`], { stdio: 'pipe' })).not.toThrow()
})

type Variables = Readonly<Record<string, string>>

/** The arguments that a script starts its trainer with. */
async function started(script: string, variables: Variables = {}): Promise<readonly string[]> {
  const folder = await temporaryFolder()
  const [stub, model] = [join(folder, 'python3'), join(folder, 'model.sh')]
  await writeFile(stub, '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 })
  await writeFile(model, 'MODEL_ARGS=(--num-layers 36)\n')
  const env = { PATH: `${folder}:${process.env.PATH}`, MODEL_ARGS_FILE: model, ...variables }
  return execFileSync('bash', [`${configs}/${script}`], { env, encoding: 'utf8' })
    .trimEnd()
    .split('\n')
}

/** The variables that the head of a script sets for Stage II. */
function stageTwo(script: string): Variables {
  const [line = ''] = /^#.*(?:STAGE=2|--set stage=2) .*$/m.exec(read(`${configs}/${script}`)) ?? []
  return Object.fromEntries(
    [...line.matchAll(/\b([A-Z]+)=([^\s)]+)/g)].map(([, name, value]) => [name!, value!]),
  )
}

describe.each(['0.7.0', '0.8', '0.9.1'])('verl_dapo.sh with verl %s', (VERL) => {
  const script = 'verl_dapo.sh'
  const VALID = 'valid.json'
  const settingOf = (args: readonly string[], key: string) =>
    args.find((arg) => arg.startsWith(`${key}=`))?.slice(key.length + 1)

  it("appends nothing that the recipe's dapo_trainer.yaml has: Hydra refuses it", async () => {
    const args = await started(script, { VERL, VALID })
    const appended = args.flatMap((arg) => /^\+([^+=]+)=/.exec(arg)?.[1] ?? [])
    expect(appended).toEqual([expect.stringMatching(/custom_reward_function\.reward_kwargs\.stage$/)])
    expect(args).toContainEqual(
      expect.stringMatching(/^\+\+reward(_model)?\.reward_kwargs\.max_resp_len=256$/),
    )
  })

  it('is not validated on what it trains on', async () => {
    const args = await started(script, { VERL, VALID })
    expect(settingOf(args, 'data.val_files')).not.toBe(settingOf(args, 'data.train_files'))
    await expect(started(script, { VERL })).rejects.toThrow('VALID: name a file of other queries')
  })

  it('has dynamic batches of as many tokens as the rollouts (A.2)', async () => {
    const args = await started(script, { VERL, VALID })
    expect(settingOf(args, 'actor_rollout_ref.actor.use_dynamic_bsz')).toBe('True')
    const most = settingOf(args, 'actor_rollout_ref.rollout.max_num_batched_tokens')
    expect(settingOf(args, 'actor_rollout_ref.actor.ppo_max_token_len_per_gpu')).toBe(most)
  })

  it('saves a model in Stage I that Stage II begins with', async () => {
    const first = await started(script, { VERL, VALID, STAGE: '1' })
    const second = await started(script, { VERL, ...stageTwo(script) })
    expect(settingOf(first, 'actor_rollout_ref.actor.checkpoint.save_contents')).toBe(
      '[model,optimizer,extra,hf_model]',
    )
    const saved = settingOf(first, 'trainer.default_local_dir')
    expect(settingOf(second, 'actor_rollout_ref.model.path')).toBe(`${saved}/global_step_N/actor/huggingface`)
    expect(settingOf(second, 'trainer.default_local_dir')).not.toBe(saved)
  })
})

it('verl_agents.sh names an agent loop that exists', async () => {
  const args = await started('verl_agents.sh', { VALID: 'valid.json' })
  const settingOf = (key: string) => args.find((arg) => arg.startsWith(`${key}=`))?.slice(key.length + 1)
  expect(settingOf('actor_rollout_ref.rollout.agent.default_agent_loop')).toBe('querent')
  expect(settingOf('actor_rollout_ref.actor.optim.lr')).toBe('5e-7')
  const [, module, name] = /_target_: (\w+)\.(\w+)/.exec(read(`${configs}/verl_agents.sh`))!
  expect(read(`${python}/${module}.py`)).toContain(`class ${name}(AgentLoopBase)`)
})

it('openrlhf_agents.sh names the adapter', async () => {
  const args = await started('openrlhf_agents.sh')
  const path = args[args.indexOf('--train.agent_func_path') + 1]!
  expect(read(path)).toContain('class AgentExecutor(AgentExecutorBase)')
})

describe('slime_grpo.sh', () => {
  const script = 'slime_grpo.sh'
  const settingOf = (args: readonly string[], flag: string) => args[args.indexOf(flag) + 1]

  it("goes on from Stage I's weights alone in Stage II: what it loads it resumes", async () => {
    const [first, second] = [await started(script), await started(script, stageTwo(script))]
    const saved = settingOf(first, '--save')
    expect(settingOf(first, '--load')).toBe(saved)
    expect(settingOf(second, '--ref-load')).toBe(saved)
    expect(settingOf(second, '--load')).not.toBe(saved)
    expect(settingOf(second, '--save')).toBe(settingOf(second, '--load'))
  })

  it('has a group priced at once', async () => {
    const args = await started(script)
    expect(settingOf(args, '--custom-rm-path')).toBe('querent_slime.querent_reward')
    expect(args).toContain('--group-rm')
  })
})
