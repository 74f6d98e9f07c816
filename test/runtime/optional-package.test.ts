import { expect, it } from 'vitest'
import { optionalPackage } from '../../src/runtime/optional-package.ts'

it('gives the package', async () => {
  expect(await optionalPackage<typeof import('zod')>('zod')).toHaveProperty('z')
})

it('says how to install one that is missing', async () => {
  await expect(optionalPackage('querent-has-no-such-package')).rejects.toMatchObject({
    code: 'missing-package',
    remedy: 'Install it with `npm install querent-has-no-such-package`, or pass it by option.',
  })
  await expect(optionalPackage('querent-has-no-such-package', 'SKIP=1 npm i it')).rejects.toThrow(
    /`SKIP=1 npm i it`/,
  )
})
