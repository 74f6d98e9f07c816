/** The numbers of the papers, worked out as exact fractions outside of this project. */
import { readFileSync } from 'node:fs'

type Scored = { readonly id: string; readonly score: number }
/** A tree of rollouts by the names of its actions; a number is a leaf's reward. */
export type NamedTree = number | { readonly [action: string]: NamedTree }

interface Golden {
  readonly acqo: {
    readonly phi: readonly { readonly r: number | null; readonly frac: string }[]
    readonly rewardSum: readonly {
      readonly ranks: readonly (number | null)[]
      readonly eta: string
      readonly etaStart1: string
      readonly etaStart0: string
    }[]
    readonly formatFail: { readonly delta: number; readonly expected: number }
    readonly stage2Bonus: readonly {
      readonly ranks: readonly number[]
      readonly eta: number
      readonly lambda: number
      readonly kStar: number
      readonly expected: number
    }[]
    readonly stage1SubsetMax: readonly {
      readonly lists: readonly (readonly Scored[])[]
      readonly gold: readonly string[]
      readonly eta: string
      readonly perSubset: Readonly<Record<string, string>>
      readonly stage1: string
      readonly stage2: string
    }[]
    readonly tau: readonly {
      readonly rewards: readonly string[]
      readonly tau: string
      readonly keptAt5over3: boolean
    }[]
    readonly 'grpoAdvantage_n_minus_1_eps1e-6': readonly {
      readonly rewards: readonly number[]
      readonly adv: readonly number[]
    }[]
    readonly 'clip_lo.2_hi.28_c10': readonly {
      readonly A: number
      readonly ratio: number
      readonly loss: number
    }[]
  }
  readonly c3po: {
    readonly tree: NamedTree
    readonly credit: Readonly<Record<string, string>>
    readonly leafMeanNotChildMean: { readonly tree: NamedTree; readonly leafMean: string }
  }
  readonly sparkle: {
    readonly f1: readonly { readonly pred: string; readonly gold: string; readonly f1: string }[]
    readonly 'reward_alpha.3': readonly { readonly recall: string; readonly f1: string; readonly R: string }[]
    readonly tree: {
      readonly leaves: Readonly<Record<'YY' | 'YN' | 'NY' | 'NN', string>>
      readonly node_t1_yes: string
      readonly node_t1_no: string
      readonly if_NY_pruned: { readonly node_t1_no: string; readonly root: string }
    }
  }
  readonly mmoa: {
    readonly docAllocationK10: Readonly<Record<string, readonly number[]>>
    readonly selectorPenalty: readonly { readonly out: string; readonly K: number; readonly P: number }[]
    readonly gae: {
      readonly gamma: number
      readonly lambda: number
      readonly V: readonly number[]
      readonly r: readonly number[]
      readonly A: readonly number[]
      readonly returns: readonly number[]
    }
    readonly valueClip: readonly {
      readonly V: number
      readonly Vold: number
      readonly eps: number
      readonly target: number
      readonly loss: number
    }[]
    readonly terminalReward: readonly {
      readonly R: number
      readonly beta: number
      readonly logRatio: number
      readonly expected: number
    }[]
  }
  readonly mao: {
    readonly tokenCost: readonly { readonly workflow: readonly string[]; readonly cost: string }[]
    readonly reward: readonly {
      readonly f1: string
      readonly alpha: string
      readonly workflow: readonly string[]
      readonly turnCost: string
      readonly FP: number
      readonly CP: number
      readonly R: number
    }[]
  }
}

export const golden: Golden = JSON.parse(
  readFileSync(new URL('../fixtures/golden/papers.json', import.meta.url), 'utf8'),
)

/** "17/9" as the double nearest to it. */
export function fraction(text: string): number {
  const [numerator, denominator = 1] = text.split('/').map(Number)
  return numerator! / denominator
}
