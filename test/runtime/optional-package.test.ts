import { expect, it } from 'vitest'
import { optionalPackage, optionalPackages } from '../../src/runtime/optional-package.ts'

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

it('names all packages that are missing, with one command', async () => {
  const missing = (name: string) => ({ name, load: () => import(`querent-has-no-${name}`) })
  const zod = { name: 'zod', load: () => import('zod') }
  expect(await optionalPackages([zod])).toHaveProperty('0.z')
  await expect(optionalPackages([zod, missing('one')])).rejects.toMatchObject({
    code: 'missing-package',
    what: 'The package one cannot be loaded',
    remedy: 'Install it with `npm install one`.',
  })
  await expect(
    optionalPackages([{ ...missing('one'), environment: 'SKIP=1' }, zod, missing('two'), missing('three')]),
  ).rejects.toMatchObject({
    what: 'The packages one, two and three cannot be loaded',
    remedy: 'Install them with `SKIP=1 npm install one two three`.',
  })
})
