/** Documents, models and servers write to the command line's output, and nothing that they write is obeyed by a terminal. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { completion, type Reply, type SeenRequest, startChatServer } from '../support/chat-server.ts'
import { runCommand } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Writes the clipboard, sets the title, clears the screen, and turns the direction of what follows. */
const odd =
  '\u001b]52;c;cm0=\u0007\u001b]0;owned\u0007\u001b[2J\u009b31m\u0085\u007f\r\u202eback\u2066\u200f\u061c\b'
const obeyed = /(?![\t\n])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** An index whose documents and names are odd. */
async function prepared(): Promise<string> {
  const folder = join(await temporaryFolder(), `named${odd}`)
  const index = join(folder, 'index')
  await mkdir(folder)
  const bridge = { _id: `b${odd}`, title: `Bridge ${odd}`, text: `A bridge of steel. ${odd} It is red.` }
  const lines = [bridge, { _id: 'other', title: 'Arches', text: 'Arches of stone, and a bridge.' }]
  await writeFile(join(folder, 'corpus.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const { errors, status } = await runCommand(['index', folder, '--out', index])
  expect([status, errors], errors).toEqual([0, expect.not.stringMatching(obeyed)])
  return index
}

async function chatting(answer: (request: SeenRequest) => Reply): Promise<readonly string[]> {
  const server = await startChatServer(answer)
  onTestFinished(() => server.close())
  return ['--chat-url', server.url, '--chat-model', `model${odd}`, '--set', 'chatRetries=0']
}

describe('on the command line', () => {
  it.each([
    ['search', 'search', []],
    ['explain', 'explain', []],
    ['explain --verbose', 'explain', ['--verbose']],
    ['search that fails', 'search', ['--history', `nowhere${odd}`]],
    ['a wrong option', 'search', [`--wrong${odd}`]],
  ])('%s prints no command', async (_, command, flags) => {
    const index = await prepared()
    const { output, errors } = await runCommand([command, `which bridge ${odd}`, '--index', index, ...flags])
    expect(output + errors).toContain('52;c;cm0=')
    expect(output).not.toMatch(obeyed)
    expect(errors).not.toMatch(obeyed)
  })

  it('an answer of a model, and its error, print none', async () => {
    const index = await prepared()
    const agents = ({ body }: SeenRequest): Reply => {
      const [system] = body.messages as readonly { readonly content: string }[]
      return completion(system!.content.startsWith('You choose') ? 'Document0' : `red ${odd}`)
    }
    const refusing = (): Reply => ({ status: 400, body: { error: { message: `no ${odd}` } } })
    for (const answer of [agents, refusing]) {
      const chat = await chatting(answer)
      const { output, errors } = await runCommand([
        'search',
        'which bridge',
        '--index',
        index,
        '--policy',
        'mmoa',
        ...chat,
      ])
      expect(output + errors).toContain('\ufffd')
      expect(output).not.toMatch(obeyed)
      expect(errors).not.toMatch(obeyed)
    }
  })

  it('JSON says what there is, in escapes', async () => {
    const index = await prepared()
    const { output } = await runCommand(['search', 'which bridge', '--index', index, '--json'])
    expect(output).not.toMatch(obeyed)
    const { hits } = JSON.parse(output) as { hits: { docid: string; document: { title: string } }[] }
    const hit = hits.find(({ docid }) => docid !== 'other')
    expect([hit?.docid, hit?.document.title]).toEqual([`b${odd}`, `Bridge ${odd}`])
  })
})
