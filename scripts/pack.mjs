// @ts-check
/** Packs the package as npm would publish it into `.querent/package.tgz`, from what is built already. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.mjs'

const folder = join(root, '.querent')
mkdirSync(folder, { recursive: true })
// `prepack` would build again.
const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
const [{ filename }] = JSON.parse(execFileSync('npm', words, { cwd: root, encoding: 'utf8' }))
renameSync(join(folder, filename), join(folder, 'package.tgz'))
