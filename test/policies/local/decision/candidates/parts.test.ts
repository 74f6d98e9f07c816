import { describe, expect, it } from 'vitest'
import { partsOf } from '../../../../../policies/local/decision/candidates/parts.ts'
import { ask } from '../../../../support/question.ts'

function parts(text: string): string[] {
  const { question, lexicon } = ask(text)
  return partsOf(text, question, lexicon)
}

describe('parts', () => {
  it.each<[string, string, readonly string[]]>([
    [
      'a comparison',
      'Which is older, the Forth Bridge or the Tower Bridge?',
      ['Forth Bridge older', 'Tower Bridge older'],
    ],
    [
      '"than"',
      'Is the Forth Bridge longer than the Tower Bridge?',
      ['Forth Bridge longer', 'Tower Bridge longer'],
    ],
    [
      '"both"',
      'Did both Marta Ruiz and Jan Peeters study law?',
      ['Marta Ruiz study law', 'Jan Peeters study law'],
    ],
    ['"between"', 'How far is it between Kos Town and Port Vell?', ['Kos Town far', 'Port Vell far']],
    ['"versus"', 'Kos Town versus Port Vell by ferry', ['Kos Town ferry', 'Port Vell ferry']],
    ['a name at the beginning', 'Dahlia and Aster Alpinus are what?', ['Dahlia', 'Aster Alpinus']],
    [
      'an enumeration',
      'Compare the populations of Paris, Berlin and Madrid',
      ['Paris Compare populations', 'Berlin Compare populations', 'Madrid Compare populations'],
    ],
    [
      'an enumeration to choose from',
      'Which is tallest: Everest, Makalu or Lhotse?',
      ['Everest tallest', 'Makalu tallest', 'Lhotse tallest'],
    ],
    [
      'an enumeration with a comma before the last',
      'Who won more, Nadal, Federer, or Djokovic?',
      ['Nadal won more', 'Federer won more', 'Djokovic won more'],
    ],
    [
      'a name that belongs to the question',
      'Which writer was from England, Ann Lee or Bo Dahl?',
      ['Ann Lee writer England', 'Bo Dahl writer England'],
    ],
    [
      'a comma within a name',
      'Are both Salem, Oregon and Lake Constance in one country?',
      ['Salem Oregon one country', 'Lake Constance one country'],
    ],
    [
      'places with where they are',
      'Which is larger, Salem, Oregon or Albany, Georgia?',
      ['Salem Oregon larger', 'Albany Georgia larger'],
    ],
    [
      '"and" within a name',
      'Which film is older, Salt and Iron or The Grey Coast?',
      ['Salt and Iron film older', 'Grey Coast film older'],
    ],
    [
      'two clauses',
      'Who wrote the opera about Tosca and painted the curtain for it?',
      ['wrote opera Tosca', 'painted curtain'],
    ],
  ])('%s: %s', (_, text, expected) => expect(parts(text)).toEqual(expected))

  it.each<[string, string, readonly string[]]>([
    ['between', 'difference between tcp and udp', ['tcp difference', 'udp difference']],
    [
      'between things of several words',
      'what is the difference between machine learning and statistics in practice',
      ['machine learning difference practice', 'statistics difference practice'],
    ],
    ['both', 'were both tom hanks and meg ryan actors', ['tom hanks actors', 'meg ryan actors']],
    ['vs', 'python vs ruby performance', ['python performance', 'ruby performance']],
    ['or at the end', 'who is older tom hanks or meg ryan', ['tom hanks older', 'meg ryan older']],
    ['or between single words', '15- or 30-year mortgage?', ['15 year mortgage', '30 year mortgage']],
    ['and', 'capital of france and germany', ['france capital', 'germany capital']],
    [
      'a list',
      'populations of paris, berlin and madrid',
      ['paris populations', 'berlin populations', 'madrid populations'],
    ],
  ])('without capitals, %s: %s', (_, text, expected) => expect(parts(text)).toEqual(expected))

  it.each([
    'Who wrote the opera about Tosca?',
    'between 1939 and 1945',
    'the town between which two rivers',
    'and',
    'or and or',
    'vs',
    'both and',
    'this and that',
    '',
    '…, , or ,',
  ])('abstains where there are none: %s', (text) => expect(parts(text)).toEqual([]))

  it('makes three at the most', () => {
    const text = 'Did Ann Lee and Bo Dahl and Cy Moe and Di Ash meet?'
    expect(parts(text)).toEqual(['Ann Lee meet', 'Bo Dahl meet', 'Cy Moe meet'])
    // A list of more is no list that three could stand for.
    expect(parts('names of ants, bees, cats, dogs and eels')).toEqual([])
  })
})
