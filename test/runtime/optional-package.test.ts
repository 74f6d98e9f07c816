import { expect, it } from 'vitest'
import { optionalPackage } from '../../src/runtime/optional-package.ts'

it('loads an installed package', async () => {
  expect(await optionalPackage<typeof import('zod')>('zod')).toHaveProperty('z')
})

it('names the command that installs a missing package', async () => {
  await expect(optionalPackage('querent-has-no-such-package')).rejects.toMatchObject({
    code: 'missing-package',
    remedy: 'Install it with `npm install querent-has-no-such-package`, or pass it as an option.',
  })
  await expect(optionalPackage('querent-has-no-such-package', 'SKIP=1 npm i it')).rejects.toThrow(
    /`SKIP=1 npm i it`/,
  )
})
