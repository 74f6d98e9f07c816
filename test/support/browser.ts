/** A real browser, if the machine has one. `npm run verify` installs it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The command of the first browser that starts. */
export async function findBrowser(): Promise<string | undefined> {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'chrome']) {
    if (await run(name, ['--version']).then(Boolean, () => false))
      return (await run('which', [name])).stdout.trim()
  }
  return undefined
}
