import { Readable, Writable } from 'node:stream'
import type { Terminal } from '../../src/cli/output/terminal.ts'
import { type Clock, systemClock } from '../../src/runtime/clock.ts'

/** A terminal that keeps what is written to it. */
export interface TestTerminal extends Terminal {
  /** All that stands on stdout. */
  output(): string
  /** All that stands on stderr. */
  errors(): string
  /** SIGHUP. */
  hangUp(): void
  /** SIGUSR2. */
  toggle(): void
}

export function testTerminal({
  isTTY = false,
  stdin = '',
  env = {},
  folder = '/nowhere',
  signal = new AbortController().signal,
  clock = systemClock,
}: {
  readonly isTTY?: boolean
  readonly stdin?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  readonly folder?: string
  readonly signal?: AbortSignal
  readonly clock?: Clock
} = {}): TestTerminal {
  const [hangups, switches] = [new Set<() => void>(), new Set<() => void>()]
  const [output, errors] = [collect(), collect()]
  return {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: output.stream,
    // What a terminal has beside a stream, as far as progress bars use it.
    stderr: Object.assign(errors.stream, { isTTY, columns: 100 }),
    env,
    folder,
    signal,
    clock,
    onHangup(listener) {
      hangups.add(listener)
      return () => void hangups.delete(listener)
    },
    onSwitch(listener) {
      switches.add(listener)
      return () => void switches.delete(listener)
    },
    toggle() {
      for (const listener of switches) listener()
    },
    hangUp() {
      for (const listener of hangups) listener()
    },
    output: output.text,
    errors: errors.text,
  }
}

function collect(): { readonly stream: Writable; readonly text: () => string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') }
}
