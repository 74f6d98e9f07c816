import { describe, expect, it } from 'vitest'
import { askingStems, cuesBeside, cuesSchema, prepareCues } from '../../../../policies/local/cues.ts'
import { readQuestion } from '../../../../policies/local/rerank/question.ts'
import { createCueCounter } from '../../../../policies/local/training/cue-training.ts'
import { createLexicon } from '../../../../src/text/lexicon.ts'
import { parseText } from '../../../../src/text/parse-text.ts'

/** A counter that is told of names by the words of the question and those beside the name: `near<` before, `near>` after it. */
function counting() {
  const lexicon = createLexicon(() => 1)
  const counter = createCueCounter(lexicon)
  const stem = (word: string): number => lexicon.stemId(word)
  const cue = (told: string): number => 2 * stem(told.slice(0, -1)) + (told.endsWith('>') ? 1 : 0)
  return {
    cues: counter.cues,
    count(times: number, asking: string, beside: string, led: boolean, fold = 0): void {
      for (let time = 0; time < times; time++)
        counter.count(fold, asking.split(' ').map(stem), beside.split(' ').map(cue), led)
    },
  }
}

describe('createCueCounter', () => {
  it('weighs a cue by how much more often than others such names led', () => {
    const { count, cues } = counting()
    count(4, 'director', 'by<', true)
    count(4, 'director', 'near>', false)
    // Half of all names led. Five more of the usual kind: ln((4 + 2.5) / (9 × ½)) = 0.37 and ln(2.5 / (9 × ½)) = −0.59.
    expect(cues()).toEqual({ director: 'near>-0.6 by<0.4' })
  })

  it('counts each word of the question with each cue, and the same word on either side as another', () => {
    const { count, cues } = counting()
    count(6, 'wife who', 'of< of>', true)
    count(6, 'who', 'in<', false)
    // ln((6 + 2.5) / (11 × ½)) = 0.44 and ln(2.5 / (11 × ½)) = −0.79.
    expect(cues()).toEqual({ who: 'in<-0.8 of<0.4 of>0.4', wife: 'of<0.4 of>0.4' })
  })

  it('puts what was seen more often first, where it weighs almost as much', () => {
    const { count, cues } = counting()
    count(5, 'wife', 'in<', false)
    count(20, 'wife', 'of<', false)
    count(25, 'wife', 'by<', true)
    // ln(2.5 / (10 × ½)) = −0.69, ln(2.5 / (25 × ½)) = −1.61, ln(27.5 / (30 × ½)) = 0.61; times √5, √20 and √25.
    expect(cues()).toEqual({ wife: 'of<-1.6 by<0.6 in<-0.7' })
  })

  it('leaves out cues that were seen less than four times, and those that change the odds too little', () => {
    const { count, cues } = counting()
    count(3, 'wife', 'by<', true)
    count(2, 'wife', 'of<', true)
    count(3, 'wife', 'of<', false)
    count(3, 'wife', 'in<', false)
    count(2, 'wife', 'at<', false)
    expect(cues()).toEqual({})
    count(1, 'wife', 'by<', true)
    // 6 of 14 led: ln((4 + 5 × 6/14) / (9 × 6/14)) = 0.47.
    expect(cues()).toEqual({ wife: 'by<0.5' })
  })

  it('knows nothing where no name was counted, none led, or all did', () => {
    const { count, cues } = counting()
    expect(cues()).toEqual({})
    count(9, 'wife', 'of<', false, 1)
    expect(cues()).toEqual({})
    count(9, 'wife', 'by<', true, 2)
    expect(cues(1)).toEqual({})
    expect(cues(2)).toEqual({})
    expect(cues()).not.toEqual({})
  })

  it('does without a fold, its names and what they led to', () => {
    const { count, cues } = counting()
    for (const fold of [5, 3]) {
      count(2, 'director', 'by<', true, fold)
      count(2, 'director', 'near>', false, fold)
    }
    const ofBoth = { director: 'near>-0.6 by<0.4' }
    expect(cues()).toEqual(ofBoth)
    count(7, 'director who', 'by< near>', false, 1)
    expect(cues(1)).toEqual(ofBoth)
    expect(cues(0)).toEqual(cues())
    expect(cues()).not.toEqual(ofBoth)
  })

  it('keeps 4,000, those of the most weight', () => {
    const { count, cues } = counting()
    const words = (count: number, suffix = ''): string =>
      Array.from({ length: count }, (_, index) => `w${index}${suffix}`).join(' ')
    count(5, words(70), words(70, '<'), true)
    count(30, 'wife', 'of<', false)
    count(9, 'wife', 'by<', true)
    // 14 of 44 led: all cues weigh enough, and those that were counted last the most.
    const entries = Object.values(cues()).flatMap((line) => line.split(' '))
    expect(entries).toHaveLength(4000)
    expect(cues().wife).toBe('of<-1.9 by<0.9')
  })

  it('is read back by what was counted', () => {
    const lexicon = createLexicon(() => 1)
    const { count, cues } = createCueCounter(lexicon)
    const text = parseText('The play was directed by Ada Frost in Eskby.', lexicon)
    const question = readQuestion({ text: 'Who was its director?' }, lexicon)
    text.names.forEach(({ start, end, sentence }, place) => {
      const beside = cuesBeside(text, start, end, sentence, lexicon)
      for (let time = 0; time < 4; time++) count(0, askingStems(question.text, lexicon), beside, place === 0)
    })
    const read = prepareCues(cuesSchema.parse(cues()))(question, lexicon)
    const [maker, place] = text.names.map(({ start, end, sentence }) => read(text, start, end, sentence))
    // "Directed by" stands before both names. "Play" and "in", beside the one that led, weigh 0.4 for "who" and for "director"; "in"
    // before the other one −0.6.
    expect(maker).toEqual({ best: 0.4, worst: 0, sum: expect.closeTo(4 * 0.4, 9) })
    expect(place).toEqual({ best: 0, worst: -0.6, sum: expect.closeTo(2 * -0.6, 9) })
  })
})
