/** Which addresses a proxy stands before. */
import { describe, expect, it } from 'vitest'
import { identityOf } from '../../../../adapters/apps/proxy/headers.ts'
import { createProxy } from '../../../../adapters/apps/proxy/proxy.ts'
import { openTarget, type TargetOptions } from '../../../../adapters/apps/proxy/target.ts'

const refused = async (target: string): Promise<string> =>
  createProxy({ policy: 'none', target }).then(
    () => 'taken',
    (error: Error & { code: string }) => `${error.code}: ${error.message}`,
  )

describe('a target', () => {
  it.each(['http://user:secret@127.0.0.1:9200', 'https://secret@host', 'http://:secret@host/path'])(
    'has no credentials, and they are not repeated: %s',
    async (target) => {
      const message = await refused(target)
      expect(message).toMatch(/^bad-config: proxy: target: .*credentials/)
      expect(message).not.toContain('secret')
    },
  )

  it.each(['http://host:9200/?x=1', 'http://host?x', 'http://host/path#a', 'http://host/?', 'http://host/#'])(
    'has neither parameters nor a fragment: %s',
    async (target) => {
      expect(await refused(target)).toMatch(/^bad-config: proxy: target: /)
    },
  )

  it.each(['ftp://user:secret@host', 'user:secret@host', 'http://user:secret@'])(
    'is an address of the web: %s',
    async (target) => {
      const message = await refused(target)
      expect(message).toMatch(/^bad-config: proxy: target: /)
      expect(message).not.toContain('secret')
    },
  )

  it.each(['http://host:9200', 'https://host/path/', 'http://[::1]:9200'])('may be %s', async (target) => {
    expect(await refused(target)).toBe('taken')
  })
})

it.each<readonly [string, TargetOptions, boolean]>([
  ['counts where it is forwarded', { target: 'http://host:9200' }, true],
  ['does not count over TLS', { target: 'https://host:9200' }, false],
  [
    'does not count in signed requests',
    {
      target: 'http://host:9200',
      sign: { region: 'here', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } },
    },
    false,
  ],
])("the caller's host %s", async (_, options, counts) => {
  const target = await openTarget(options)
  const identityAt = (host: string): string => identityOf(target.headersFor(['Host', host, 'Cookie', 'c']))
  expect(identityAt('a.example') !== identityAt('b.example')).toBe(counts)
  await target.close()
})
