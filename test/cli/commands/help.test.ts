import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commands } from '../../../src/cli/commands/index.ts'
import { runToEnd } from '../../support/run-to-end.ts'

const { output: list } = await runToEnd(['help'])
const tasks = Array.from(list.matchAll(/^ {2}([a-z-]+) {2,}/gm), ([, name]) => name!)

describe('querent help', () => {
  it('lists the tasks', () => expect(tasks.length).toBeGreaterThan(5))

  it.each(tasks)('%s: its commands with examples, and a page that exists', async (task) => {
    const { status, output } = await runToEnd(['help', task])
    expect(status).toBe(0)
    expect(output).toMatch(/^querent [a-z-]+: .+\n {2}\$ querent /m)
    expect(existsSync(/More: (\S+),/.exec(output)![1]!)).toBe(true)
  })

  it('has every command in a task', async () => {
    const pages = await Promise.all(tasks.map(async (task) => (await runToEnd(['help', task])).output))
    const named = pages.flatMap((page) =>
      Array.from(page.matchAll(/^querent ([a-z-]+): /gm), ([, name]) => name),
    )
    const all = commands.map(({ usage }) => usage.split(' ')[0]!).filter((name) => name !== 'help')
    expect(all.filter((name) => !named.includes(name))).toEqual([])
  })

  it('says what the tasks are if there is no such task', async () => {
    const { status, errors } = await runToEnd(['help', 'cooking'])
    expect([status, errors]).toEqual([2, expect.stringContaining('training-llm')])
  })
})
