/**
 * How probably documents are relevant, from clicks on what was shown: a click needs a user who looks at the rank, and a document that
 * attracts (the position-based model of Richardson, Dominowska and Ragno, WWW 2007). So clicks count by how rarely their rank is
 * looked at, which is inverse propensity weighting (Wang and others, SIGIR 2016; Joachims and others, WSDM 2017).
 *
 * Expectation maximization (as Wang and others, WSDM 2018) learns both at once: how often each rank is looked at, and which documents
 * are of the kind that is clicked. Documents that were shown at several ranks tell the first by themselves (Agarwal and others, WSDM
 * 2019); for others, that a query was searched several times does. Of two documents that differ in how often they are clicked, both
 * seen by as many, only one is relevant; if all of a rank are clicked less, the rank is looked at less.
 */

/** What one search showed, best first, and what of it was clicked. */
export interface ShownList {
  readonly docids: readonly string[]
  readonly clicked: ReadonlySet<string>
}

export interface PositionModel {
  /** For each query, in the given order: docid → the probability that it is relevant. */
  readonly relevance: readonly ReadonlyMap<string, number>[]
  /** How often each rank is looked at, from the first, which has 1. */
  readonly examination: readonly number[]
}

/** Deeper ranks are seldom looked at. What is shown there alone is not judged. */
const maxRanks = 20
const rounds = 60

/**
 * What is assumed before a click is seen: how often documents of each kind are clicked once they are looked at, and how many are
 * relevant. The first two weigh as much as one look. The values are Querent's.
 */
const prior = { relevant: 0.5, other: 0.05, share: 0.1 } as const

/** As many documents of a rank are taken to be as relevant as those of all ranks. */
const smoothing = 5

/** A document of one query. */
interface Shown {
  /** How often it was shown at each rank. */
  readonly times: number[]
  clicks: number
  relevance: number
}

/** @param queries the searches of each query */
export function positionModel(queries: readonly (readonly ShownList[])[]): PositionModel {
  const clicksAt: number[] = Array(maxRanks).fill(0)
  const ofQueries = queries.map((searches) => countsOf(searches, clicksAt))
  const all = ofQueries.flatMap((counts) => [...counts.values()])
  const ranked = all.map((shown) => ({ shown, rank: usualRank(shown) }))
  // Users look at a rank as often as 1/rank says, until clicks say something else.
  let examination = clicksAt.map((_, rank) => 1 / (rank + 1))
  let shares: readonly number[] = clicksAt.map(() => prior.share)
  let [relevant, other]: readonly number[] = [prior.relevant, prior.other]

  for (let round = 0; round < rounds; round++) {
    const [sums, counts] = [clicksAt.map(() => 0), clicksAt.map(() => 0)]
    const [hits, rest] = [tally(prior.relevant), tally(prior.other)]
    for (const { shown, rank } of ranked) {
      const looks = shown.times.reduce((sum, times, at) => sum + times * examination[at]!, 0)
      const odds = (1 - shares[rank]!) / shares[rank]!
      const likelihood = (other! / relevant!) ** shown.clicks * Math.exp((relevant! - other!) * looks)
      shown.relevance = 1 / (1 + odds * likelihood)
      hits.add(shown.relevance, shown.clicks, looks)
      rest.add(1 - shown.relevance, shown.clicks, looks)
      sums[rank]! += shown.relevance
      counts[rank]!++
    }
    const share = sums.reduce((sum, one) => sum + one, 0) / all.length
    shares = sums.map((sum, at) => (sum + share * smoothing) / (counts[at]! + smoothing))
    ;[relevant, other] = [hits.rate(), Math.min(rest.rate(), hits.rate() / 2)]
    const attraction = clicksAt.map(() => 0)
    for (const { times, relevance } of all)
      for (const [at, shown] of times.entries())
        attraction[at]! += shown * (relevance * relevant + (1 - relevance) * other)
    const looked = clicksAt.map((clicks, at) => (clicks + 1 / (at + 1)) / (attraction[at]! + 1))
    examination = looked.map((one) => one / looked[0]!)
  }
  const depth = Math.max(0, ...all.map(({ times }) => 1 + times.findLastIndex((one) => one > 0)))
  return {
    relevance: ofQueries.map(
      (counts) => new Map(Array.from(counts, ([docid, one]) => [docid, one.relevance])),
    ),
    examination: examination.slice(0, depth),
  }
}

function countsOf(searches: readonly ShownList[], clicksAt: number[]): ReadonlyMap<string, Shown> {
  const counts = new Map<string, Shown>()
  for (const { docids, clicked } of searches)
    for (const [at, docid] of docids.slice(0, maxRanks).entries()) {
      const shown = counts.get(docid) ?? { times: Array(maxRanks).fill(0), clicks: 0, relevance: 0 }
      counts.set(docid, shown)
      shown.times[at]!++
      if (!clicked.has(docid)) continue
      shown.clicks++
      clicksAt[at]!++
    }
  return counts
}

/** The rank at which it was shown most. */
const usualRank = ({ times }: Shown): number => times.indexOf(Math.max(...times))

/** Clicks for each look, of one kind of documents. */
function tally(expected: number) {
  let [clicks, looks] = [expected, 1]
  return {
    add(weight: number, ofClicks: number, ofLooks: number): void {
      clicks += weight * ofClicks
      looks += weight * ofLooks
    },
    rate: () => clicks / looks,
  }
}
