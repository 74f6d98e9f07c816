/** The thoughts of models that think aloud: they are no part of what a model says. */
import { anyOf, thoughtTags, withoutSpecialTokens } from './text/special-tokens.ts'

const opening = anyOf(thoughtTags.map(([tag]) => tag))
const closing = anyOf(thoughtTags.map(([, tag]) => tag))
const [anyClosing, anyTag] = [new RegExp(closing, 'gi'), new RegExp(`${opening}|${closing}`, 'i')]
const [isClosing, opens] = [new RegExp(`^(?:${closing})$`, 'i'), new RegExp(`^\\s*(?:${opening})`, 'i')]
const tags = thoughtTags.flat()
const longestTag = Math.max(...tags.map(({ length }) => length))

/**
 * What a completion says behind its thoughts: all that follows the last closing tag. Many chat templates write the opening tag into
 * the prompt, so it may be missing. `undefined` if the thoughts do not end.
 */
export function withoutThoughts(completion: string): string | undefined {
  let end = 0
  for (const { 0: tag, index } of completion.matchAll(anyClosing)) end = index + tag.length
  const said = completion.slice(end)
  return opens.test(said) ? undefined : withoutSpecialTokens(said)
}

/** Whether a completion begins within thoughts, without an opening tag. */
export const beginsThinking = (completion: string): boolean =>
  !opens.test(completion) && completion.search(anyClosing) !== -1

/** Passes on the pieces of a stream that are no thoughts. What may be the beginning of a tag waits for the next piece. */
export interface Spoken {
  write(piece: string): void
  /** Passes on what still waits. */
  end(): void
}

/**
 * @param isUnsure whether the stream may begin within thoughts, without an opening tag: it waits for the first tag, or for its end
 */
export function spokenOnly(onText: (piece: string) => void, isUnsure: boolean): Spoken {
  let [held, thinks, waits, isFirst] = ['', false, isUnsure, true]

  function pass(end: number): void {
    const said = isFirst ? held.slice(0, end).trimStart() : held.slice(0, end)
    held = held.slice(end)
    if (thinks || said === '') return
    isFirst = false
    onText(said)
  }

  return {
    write(piece) {
      held += piece
      for (let tag = anyTag.exec(held); tag !== null; tag = anyTag.exec(held)) {
        // What stands before the first tag of a stream that waits are thoughts.
        if (!waits) pass(tag.index)
        else held = held.slice(tag.index)
        held = held.slice(tag[0].length)
        thinks = !isClosing.test(tag[0])
        waits = false
      }
      let end = Math.max(0, held.length - longestTag)
      while (end < held.length && !tags.some((tag) => tag.startsWith(held.slice(end).toLowerCase()))) end++
      if (!waits) pass(end)
    },
    end: () => pass(held.length),
  }
}
