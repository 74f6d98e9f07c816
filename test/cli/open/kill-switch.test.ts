import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openKillSwitch } from '../../../src/cli/open/kill-switch.ts'
import { manualClock } from '../../support/manual-clock.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { testTerminal } from '../../support/test-terminal.ts'

it('is off at each second signal, and says so', () => {
  const terminal = testTerminal()
  const { isOff, close } = openKillSwitch({}, terminal)
  expect(isOff()).toBe(false)
  terminal.toggle()
  expect(isOff()).toBe(true)
  terminal.toggle()
  expect(isOff()).toBe(false)
  close()
  terminal.toggle()
  expect(isOff()).toBe(false)
  expect(terminal.errors()).toMatch(/^Off \(SIGUSR2\).*\nOn \(SIGUSR2\).*\n$/)
})

it('is off while the file exists, which is looked for once a second', async () => {
  const clock = manualClock()
  const terminal = testTerminal({ clock })
  const offFile = join(await temporaryFolder(), 'off')
  const { isOff } = openKillSwitch({ offFile }, terminal)
  expect(isOff()).toBe(false)
  await writeFile(offFile, '')
  await clock.advance(999)
  expect(isOff()).toBe(false)
  await clock.advance(1)
  expect(isOff()).toBe(true)
  await rm(offFile)
  // What the file says and what the signal says are two things.
  terminal.toggle()
  await clock.advance(1000)
  expect(isOff()).toBe(true)
  terminal.toggle()
  expect(isOff()).toBe(false)
})
