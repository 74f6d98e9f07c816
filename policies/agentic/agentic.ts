/**
 * One prompt a round, which is Querent's own: a language model reads what the local policy finds for the question, re-ranked, and answers,
 * or writes the next queries with the names that it has just read. Each query is searched and re-ranked by itself. What the model keeps
 * stands first among the hits.
 *
 * @module querent/policies/agentic
 */
import { z } from 'zod'
import type { FullBudget } from '../../src/budget.ts'
import { refersElsewhere } from '../../src/completion/refers.ts'
import { count, having, milliseconds, parseConfig } from '../../src/config.ts'
import { bySearchKey, searchKey } from '../../src/dedupe.ts'
import type { Policy } from '../../src/policy.ts'
import type { Reranker } from '../../src/reranker.ts'
import { closeAll } from '../../src/runtime/close-all.ts'
import type { BudgetPart, Document, Leg } from '../../src/types.ts'
import type { RerankedOutcome } from '../../src/with-rerank.ts'
import { chooseDocuments } from './choose-documents.ts'
import { type Local, type Page, pageOf, rankHits } from './page.ts'
import { maxQueries } from './parse.ts'
import { roundName, roundPrompt, tokensOf } from './prompt.ts'

export interface AgenticOptions {
  /**
   * What searches the question, and each query that the model writes; `none()` for plain searches. It must not ask a model. Default: the
   * bundled local policy that fits the retrievers, with its re-ranking.
   */
  readonly policy?: Policy | undefined
  /** Orders what each search finds, by its own text. Default: that of the local policy; nothing beside a `policy`. */
  readonly rerank?: Reranker | undefined
  /** The maximum number of prompts, 1 to 10. All but the last may ask for further searches. Default: 2. */
  readonly maxRounds?: number | undefined
  /**
   * The form of an answer: a few words (`short`), sentences with marks such as `[1]`, the place in `citations` (`long`), or what fits the
   * question (`auto`). Default: `auto`.
   */
  readonly answer?: 'short' | 'long' | 'auto' | undefined
  /**
   * Whether the model is asked `always`, or only where it is `needed`: where the local policy leaves the question alone and its first hit
   * is certain, not at all by a search that wants no answer, and once by one that wants it. Default: `needed`.
   */
  readonly askWhen?: 'needed' | 'always' | undefined
  /** Whether the model must write the format and nothing else, as in training, and "unknown" is an answer. Default: false. */
  readonly strict?: boolean | undefined
  /** Milliseconds for the whole search. Default: 60,000. */
  readonly timeout?: number | undefined
  /** Milliseconds for each prompt. Models that think before they write take most of them. Default: 25,000. */
  readonly askTimeout?: number | undefined
}

const optionsSchema = z.strictObject({
  policy: having<Policy>('a policy', 'run').optional(),
  rerank: having<Reranker>('a re-ranker', 'rerank').optional(),
  maxRounds: count.max(10).default(2),
  answer: z.enum(['short', 'long', 'auto']).default('auto'),
  askWhen: z.enum(['needed', 'always']).default('needed'),
  strict: z.boolean().default(false),
  timeout: milliseconds.default(60_000),
  askTimeout: milliseconds.default(25_000),
})

/**
 * From this confidence of the first hit, a question that the local policy leaves alone needs no model to rank documents. Out of fold, 28 %
 * of the queries of Natural Questions and BoolQ are below; of the others, the first five hits have 99.8 and 99.4 % of what is relevant.
 */
const sure = 0.4

/** How many documents of each query are shown, where there are one, two or three. */
const ofQueries = [6, 5, 4]

/** The most texts that the local policy may search beside one. */
const besideOne = 15

/** @throws QuerentError `bad-config` naming the wrong option */
export function agentic(options: AgenticOptions = {}): Policy {
  const settings = parseConfig(optionsSchema, options, 'agentic')
  const { policy, rerank, maxRounds, answer: form, askWhen, strict, timeout, askTimeout } = settings
  let opening: Promise<Local> | undefined = policy && Promise.resolve({ policy, rerank })

  /** The bundled policy is loaded by the first search, which shows what kinds of lists there are. */
  async function localFor(legs: readonly Leg[]): Promise<Local> {
    opening ??= import('../local/local-policy.ts').then(({ localPolicy }) => {
      const retrievers = legs.map(({ retriever: name, kind }) => ({ name, ...(kind && { kind }) }))
      return localPolicy({ retrievers, ...(rerank && { rerank }) })
    })
    return opening
  }

  return {
    name: 'agentic',
    reads: true,
    prompts: [roundName],
    agents: [roundName],
    budget: {
      asks: maxRounds,
      // Of the local policy for the question; of each further round; and of the local policy for each of its texts.
      rounds: 1 + (1 + maxQueries) * (maxRounds - 1),
      subQueries: besideOne + maxQueries * (1 + besideOne) * (maxRounds - 1),
      timeout,
      askTimeout,
    },
    async close() {
      const local = await opening?.catch(() => undefined)
      await closeAll([local?.policy, local?.rerank])
    },

    async run(query, tools): Promise<RerankedOutcome> {
      const { text: question, history = [], intent } = query
      const original = await tools.original()
      const local = await localFor(original)
      const most = Math.min(maxRounds, tools.budget.asks, 1 + tools.budget.rounds)
      const ofQuestion = { ...local, maxTexts: besides(tools.left(), 1, most - 1), isQuestion: true }
      const first = await pageOf(query, original, ofQuestion, tools)
      const confidence = first.hits[0]?.confidence ?? 0
      const isSure = askWhen === 'needed' && first.kind === 'as-is' && confidence >= sure
      if (!tools.answers && isSure) {
        tools.decide('as-is', `no model was asked: the first hit is certain (${confidence.toFixed(2)})`)
        return { hits: first.hits, strategy: 'no prompt' }
      }

      /** The pages of these texts, if some rounds may follow. A text whose search fails has none. */
      async function search(texts: readonly string[], following: number): Promise<readonly Page[]> {
        const subQueries = texts.map((text) => ({ text }))
        const reason = 'the model asks for more'
        const found = await tools.retrieve(subQueries, { reason }).catch(() => [])
        const maxTexts = besides(tools.left(), texts.length, following)
        const pages = texts.map((text) => {
          const own = found.filter(({ subQuery }) => searchKey(subQuery.text) === searchKey(text))
          return pageOf({ text }, own, { ...local, maxTexts, isQuestion: false }, tools).catch(() => [])
        })
        return (await Promise.all(pages)).flat()
      }

      const prompt = roundPrompt({ form: tools.answers ? form : 'none', strict })
      const seen = new Set<string>()
      let kept: ReadonlyMap<string, Document> = new Map()
      // The latest first.
      let pages: readonly Page[] = [first]
      const shown = first.kind === 'as-is' ? 8 : 16
      let { documents, searched } = chooseDocuments([], pages, { seen, most: shown })
      const wanted = isSure ? 1 : maxRounds
      let used = { usd: 0, ms: 0 }
      for (let asks = 1; ; asks++) {
        const ended = (reason: string, more: Partial<RerankedOutcome> = {}) => {
          const docids = [...kept.keys()]
          const strategy = asks === 1 ? '1 prompt' : `${asks} prompts`
          const kind = searched.length > 1 ? 'decompose' : (first.kind ?? 'as-is')
          tools.decide(kind, `${reason}, after ${strategy}`, { searched, kept: docids })
          const hits = rankHits(docids, pages, tools)
          return { hits, strategy, citations: docids, ahead: new Set(docids), ...more }
        }
        const before = tools.left()
        const asked = { question, history, intent, documents, searched }
        const needed = { tokens: tokensOf(prompt.render({ ...asked, isLast: false })), ...used }
        const short = limitOf(before, needed) ?? (asks === Math.min(most, wanted) ? 'rounds' : undefined)
        const limit = asks === wanted ? undefined : short
        const isLast = short !== undefined
        const said = await tools.ask(prompt, { ...asked, isLast }).catch(() => undefined)
        if (said === undefined) return ended('the model failed')
        const left = tools.left()
        used = { usd: before.usd - left.usd || 0, ms: before.timeout - left.timeout }
        const named = said.documents.map((number) => documents[number - 1]!)
        kept = new Map([...named, ...kept.values()].map((document) => [document.docid, document]))
        const { answer } = said
        const citations = named.map(({ docid }) => docid)
        if (answer !== undefined) return ended('the documents tell the answer', { answer, citations })
        const known = new Set(searched.map(({ text }) => searchKey(text)))
        const written = bySearchKey(said.queries.map((text) => ({ text })))
        const texts = [...written].flatMap(([key, { text }]) =>
          known.has(key) || refersElsewhere(text, question) ? [] : text,
        )
        if (texts.length === 0) {
          const reason = tools.answers ? 'the documents do not tell the answer' : 'the documents were chosen'
          return ended(reason, limit && { endedBy: limit })
        }
        for (const { docid } of documents) seen.add(docid)
        const found = await search(texts, most - asks - 1)
        pages = [...found, ...pages]
        const next = chooseDocuments([...kept.values()], found, { seen, most: ofQueries[texts.length - 1]! })
        searched = [...searched, ...next.searched]
        if (next.documents.length === kept.size) return ended('further searches found nothing else')
        documents = next.documents
      }
    },
  }
}

/** What allows no further round if the next prompt takes what it has to, or what the last one took. */
function limitOf(
  left: FullBudget,
  needed: { readonly tokens: number; readonly usd: number; readonly ms: number },
): BudgetPart | undefined {
  if (left.asks <= 1) return 'asks'
  if (left.rounds <= 0) return 'rounds'
  if (left.subQueries <= 0) return 'subQueries'
  if (left.tokens <= needed.tokens) return 'tokens'
  if (left.usd <= needed.usd) return 'usd'
  return left.timeout <= 2 * needed.ms ? 'timeout' : undefined
}

/** How many texts the local policy may search beside each of some, if as many rounds as are left may follow. */
function besides({ rounds, subQueries }: FullBudget, texts: number, following: number): number {
  const each = Math.floor(subQueries / (texts + maxQueries * following))
  return rounds - following < texts ? 0 : Math.min(besideOne, each)
}
