/** What is for other programs: the Python shims and the configurations. That they work is for the live tests. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const python = 'integrations/python'
const shims = readdirSync(python).filter((name) => name.startsWith('querent_'))
const read = (path: string): string => readFileSync(path, 'utf8')

/** Those of Python 3.8 and newer that the shims use; a trainer's environment has whatever packages it has. */
const standard = ['asyncio', 'http', 'json', 'os', 'time', 'urllib']

it('there is a shim for each trainer', () => {
  expect(shims).toEqual(['querent_openrlhf.py', 'querent_slime.py', 'querent_trl.py', 'querent_verl.py'])
})

describe.each(shims)('%s', (name) => {
  const source = read(`${python}/${name}`)

  it('has 50 lines at the most', () => expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(50))

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

it.each(readdirSync('integrations/configs').filter((name) => name.endsWith('.sh')))(
  '%s is a script',
  (name) => {
    expect(() =>
      execFileSync('bash', ['-n', `integrations/configs/${name}`], { stdio: 'pipe' }),
    ).not.toThrow()
  },
)
