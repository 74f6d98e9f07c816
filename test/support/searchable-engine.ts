/** An engine on loopback that evaluates queries over documents, with fields to be asked for: enough to be measured. */
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { type Doc, evaluating } from './evaluating-engine.ts'
import { findIn } from './fake-engine.ts'
import { startLoopbackServer } from './loopback-server.ts'

/** An engine with one index, `works`, whose documents have a title and a text. */
export async function startSearchableEngine(documents: readonly Doc[]): Promise<string> {
  const find = evaluating(documents, { title: 'text', text: 'text' })
  const text = { text: { type: 'text' } }
  const { url, close } = await startLoopbackServer(async (asked, response) => {
    const body = (await buffer(asked)).toString()
    const { pathname, searchParams } = new URL(asked.url!, 'http://engine')
    const searched = (line: string) =>
      findIn(find, {
        ...JSON.parse(line),
        ...(searchParams.has('size') && { size: +searchParams.get('size')! }),
      })
    const lines = body.trimEnd().split('\n')
    const result = pathname.includes('_field_caps')
      ? { fields: { title: text, text } }
      : pathname.includes('_msearch')
        ? { responses: lines.flatMap((line, at) => (at % 2 === 1 ? { ...searched(line), status: 200 } : [])) }
        : pathname.includes('_search')
          ? searched(body)
          : { error: { reason: 'no such path' } }
    const isKnown = /^\/works\/_|^\/_msearch/.test(pathname)
    response
      .writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(isKnown ? result : { error: { reason: `no ${pathname}` } }))
  })
  onTestFinished(close)
  return url
}
