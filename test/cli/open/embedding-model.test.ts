import { expect, it } from 'vitest'
import { downloadProgress, openEmbedder } from '../../../src/cli/open/embedding-model.ts'
import { expectError } from '../../support/expect-error.ts'
import { testTerminal } from '../../support/test-terminal.ts'

const noProgress = { update() {}, stop() {} }
const missing = (name: string) => ({ name, load: () => import(`querent-has-no-${name}`) })

it('names all packages that are missing, before it looks for a model', async () => {
  const opened = openEmbedder('./nowhere', testTerminal(), noProgress, [missing('one'), missing('two')])
  await expectError(opened, 'missing-package', /npm install .*one two`/)
})

it('announces a large download once, with its size', () => {
  const terminal = testTerminal()
  const moment = downloadProgress(terminal, noProgress)
  moment({ step: 'downloading tokenizer.json', done: 1, total: 500_000 })
  for (const done of [1, 2]) moment({ step: 'downloading onnx/model.onnx', done, total: 90_280_978 })
  expect(terminal.errors()).toBe(
    'The embedding model is not on this machine yet: downloading onnx/model.onnx, 90 MB.\n',
  )
})
