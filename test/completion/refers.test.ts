import { expect, it } from 'vitest'
import { refersElsewhere } from '../../src/completion/refers.ts'

it.each([
  'Where was that director born?',
  'population of that city',
  'That county’s seat',
  'Which of those two bridges is older?',
  'In which county is #1 located?',
  'birthplace of [director]',
  'mayor of the answer to question 1',
  'year of the result of the previous step',
])('leaves something open: %s', (text) => expect(refersElsewhere(text, 'Who?')).toBe(true))

it.each([
  'the city that hosted the 1936 Olympics',
  'Who wrote the film that won the first Academy Award?',
  'That Thing You Do! director',
  'This Is Spinal Tap',
  'Which song reached #1 on Billboard?',
  'the former home of the roller coaster',
  'Is it known that Paris is older?',
])('stands alone: %s', (text) => expect(refersElsewhere(text, '')).toBe(false))

it('what the user leaves open is theirs', () =>
  expect(refersElsewhere('mayor of this town', 'Who runs things in this town?')).toBe(false))
