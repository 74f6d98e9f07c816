/** The tree that exploring a policy makes: a node for every completion of a prompt. */
import type { Message } from '../../types.ts'

/** A prompt that a policy asks for the first time on its way. */
export interface AskedPrompt {
  /** Its name. */
  readonly prompt: string
  readonly messages: readonly Message[]
  readonly input: unknown
  /** How many actions came before it on the path: t of C-3PO's K(t). */
  readonly depth: number
  /** How often the same messages were asked before in this run. */
  readonly times: number
}

/** A completion, and where it came from. */
export interface Completed {
  readonly text: string
  /** Why it is invalid whatever its text is: the model was cut off, or refused. */
  readonly unusable?: string
  /** The tokens as the server counts them, for trainers. */
  readonly tokenIds?: readonly number[]
  readonly logprobs?: readonly number[]
}

export interface Action extends AskedPrompt {
  /** The prompt's name, if it is one of the policy's agents. */
  readonly agent?: string
  readonly completion: string
  /** Whether it was given rather than sampled. */
  readonly forced: boolean
  /** Why it could not be used, where the policy went on without it. */
  readonly invalid?: string
  readonly tokenIds?: readonly number[]
  readonly logprobs?: readonly number[]
}

/** How a run ended. `failed` is the reason of a leaf that counts as if it had that reward. */
export type End = { readonly reward: number; readonly failed?: string } | { readonly pruned: true }

/** A state after an action; the root has none. `treeCredit` and `treeAdvantages` take it as it is. */
export type Explored = { readonly action?: Action; readonly agent?: string } & (
  | End
  | { readonly children: readonly Explored[] }
)

/** A node while the tree grows. */
export interface Growing {
  action?: Action
  /** Tells the prompt from all others of a run: name, messages, and how often they came before. */
  readonly key?: string
  /** Why the completion is invalid whatever its text is. */
  readonly unusable?: string | undefined
  readonly children: Growing[]
  end?: End
}

/** The tree when it has grown. */
export function grown({ action, children, end }: Growing): Explored {
  const below = end ?? { children: children.map(grown) }
  if (action === undefined) return below
  return { action, ...(action.agent !== undefined && { agent: action.agent }), ...below }
}

/** All actions of the tree with their nodes, parents before children. */
export function* nodesOf(node: Explored): Generator<Explored & { readonly action: Action }> {
  if (node.action !== undefined) yield node as Explored & { readonly action: Action }
  if ('children' in node) for (const child of node.children) yield* nodesOf(child)
}
