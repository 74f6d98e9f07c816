import { expect, it } from 'vitest'
import { optionalPackage, optionalPackages } from '../../src/runtime/optional-package.ts'
import { expectError } from '../support/expect-error.ts'

it('loads an installed package', async () => {
  expect(await optionalPackage<typeof import('zod')>('zod')).toHaveProperty('z')
})

it('names the command that installs a missing package', async () => {
  await expectError(
    optionalPackage('querent-has-no-such-package'),
    'missing-package',
    /npm install querent-has-no-such-package`/,
  )
  await expectError(
    optionalPackage('querent-has-no-such-package', 'SKIP=1 npm i it'),
    'missing-package',
    /`SKIP=1 npm i it`/,
  )
})

it('names all packages that are missing, with one command', async () => {
  const missing = (name: string) => ({ name, load: () => import(`querent-has-no-${name}`) })
  const zod = { name: 'zod', load: () => import('zod') }
  expect(await optionalPackages([zod])).toHaveProperty('0.z')
  await expectError(optionalPackages([zod, missing('one')]), 'missing-package', /npm install one`/)
  await expectError(
    optionalPackages([{ ...missing('one'), environment: 'SKIP=1' }, zod, missing('two'), missing('three')]),
    'missing-package',
    /SKIP=1 npm install one two three`/,
  )
})
