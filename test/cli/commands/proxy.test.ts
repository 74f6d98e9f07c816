/** `querent proxy` signs for AWS where it is told to, with credentials that stand on no command line. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { runCli } from '../../../src/cli/run-cli.ts'
import { settled } from '../../support/manual-clock.ts'
import { sendRaw, valuesOf } from '../../support/raw-http.ts'
import { startRecordingServer } from '../../support/recording-server.ts'
import { signaturesOf } from '../../support/signature.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { testTerminal } from '../../support/test-terminal.ts'

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret' }
const env = {
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_SESSION_TOKEN: '',
}

/** The command, which is interrupted after one request; none is sent if it does not listen. Returns all that it said. */
async function whileListening(
  argv: readonly string[],
  environment: Readonly<Record<string, string>>,
  send: (url: string) => Promise<unknown>,
): Promise<string> {
  const interrupt = new AbortController()
  const terminal = testTerminal({ signal: interrupt.signal, env: environment })
  let isOver = false
  const ended = runCli(['proxy', '--port', '0', ...argv], terminal)
  void ended.finally(() => {
    isOver = true
  })
  const address = () => /Listening on ([^,]+),/.exec(terminal.errors())?.[1]
  while (address() === undefined && !isOver) await settled()
  const url = address()
  if (url !== undefined) await send(url)
  interrupt.abort()
  await ended
  return terminal.errors() + terminal.output()
}

/** One request through the command to a server that records it. */
async function requestThrough(argv: readonly string[], environment: Readonly<Record<string, string>>) {
  const upstream = await startRecordingServer({ body: '{}' })
  onTestFinished(() => upstream.close())
  const target = ['--target', upstream.url, '--policy', 'none']
  const said = await whileListening([...target, ...argv], environment, (url) =>
    sendRaw(url, { path: '/works/_count?q=a+b' }),
  )
  return { requests: upstream.requests, said }
}

describe('querent proxy', () => {
  it.each([
    ['es', [] as string[]],
    ['aoss', ['--set', 'signService=aoss']],
  ])('signs with the credentials of the environment: %s', async (service, argv) => {
    const { requests, said } = await requestThrough(['--set', 'sign=eu-central-1', ...argv], env)
    const { given, expected } = signaturesOf(requests[0]!, { region: 'eu-central-1', service, credentials })
    expect(given).toEqual(expected)
    expect(valuesOf(requests[0]!.headers, 'x-amz-security-token')).toEqual([])
    expect(said).not.toContain(credentials.secretAccessKey)
  })

  it('signs as the file says, with a token where there is one', async () => {
    const config = join(await temporaryFolder(), 'querent.json')
    await writeFile(config, '{"sign": "us-east-1", "signService": "aoss"}')
    const { requests } = await requestThrough(['--config', config], { ...env, AWS_SESSION_TOKEN: 'a token' })
    const signer = { region: 'us-east-1', service: 'aoss', credentials }
    const { given, expected } = signaturesOf(requests[0]!, signer)
    expect(given).toEqual(expected)
    expect(valuesOf(requests[0]!.headers, 'x-amz-security-token')).toEqual(['a token'])
  })

  it('signs nothing unless it is told to', async () => {
    const { requests } = await requestThrough([], env)
    expect(valuesOf(requests[0]!.headers, 'authorization')).toEqual([])
  })

  it('refuses a target with credentials in it, and does not repeat them', async () => {
    const { requests, said } = await requestThrough(['--target', 'http://alice:secret@127.0.0.1:9200'], {})
    expect(said).toContain('credentials')
    expect(said).not.toContain('secret')
    expect(requests).toEqual([])
  })

  it.each([
    ['no credentials', ['--set', 'sign=eu-central-1'], 'Set AWS_ACCESS_KEY_ID'],
    ['a service alone', ['--set', 'signService=es'], '--set signService needs --set sign'],
    [
      'another service',
      ['--set', 'sign=eu-central-1', '--set', 'signService=s3'],
      '--set signService must be one of es, aoss',
    ],
    [
      'both lists for nobody',
      ['--shadow', '--interleave', '20%'],
      '--interleave beside --shadow needs --share',
    ],
    [
      'dollars without a price',
      [
        '--policy',
        'mmoa',
        '--chat-url',
        'http://127.0.0.1:1/v1',
        '--chat-model',
        'm',
        '--budget',
        'usd=0.01',
      ],
      '--set prices=m=PROMPT/COMPLETION',
    ],
  ])('says what is wrong: %s', async (_, argv, words) => {
    const { requests, said } = await requestThrough(argv, {})
    expect(said).toContain(words)
    expect(requests).toEqual([])
  })
})
