import { expect, it } from 'vitest'
import { queryLines } from '../../src/completion/query-lines.ts'

const [one, two] = ['Who wrote Emma?', 'When was she born?']

it.each([
  ['plain lines', `${one}\r\n\r\n${two}`],
  ['a heading, numbers and emphasis', `Two questions:\n\n1. **${one}**\n2. **${two}**`],
  ['a heading in bold', `**Questions:**\n- ${one}\n- ${two}`],
  ['a heading of markdown', `### Questions\n* ${one}\n* ${two}`],
  ['a fence', `\`\`\`text\n${one}\n${two}\n\`\`\``],
  ['words around a list', `I would ask this.\n1) ${one}\n2) ${two}\nThese should do.`],
  ['labels', `Sub-question 1: ${one}\nSub-question 2: ${two}`],
  ['labels in bold', `**Q1:** ${one}\n**Q2:** ${two}`],
  ['numbers in brackets', `(1) ${one}\n[2] ${two}`],
  ['letters, checkboxes, quotes', `a) "${one}"\nb) [ ] “${two}”`],
  ['bullets of other kinds', `• ${one}\n– ${two}`],
  ['a rule', `${one}\n---\n${two}\n***`],
  ['a table', `| # | Question |\n|---|:--|\n| 1 | ${one} |\n| 2 | ${two} |`],
  ['a list of JSON', `["${one}", "${two}"]`],
  ['JSON in a fence', `\`\`\`json\n{"questions": ["${one}", "${two}"]}\n\`\`\``],
  ['lines of JSON', `[\n"${one}",\n"${two}"`],
])('%s', (_, completion) => expect(queryLines(completion)).toEqual([one, two]))

it.each([
  '1984 in a novel',
  '2001: A Space Odyssey',
  'A. Lincoln’s birthplace',
  'Q.E.D. in Latin',
  'query optimization in databases',
  '"exact words" beside others',
  'C++ -fast',
  '3.5 inch disk',
])('%j is one query', (query) => expect(queryLines(query)).toEqual([query]))

it.each(['кто написал «Дюну»', '誰が砂丘を書いたか', '듄 저자', 'من كتب الكثيب', 'ποιος έγραψε το Dune'])(
  '%j is one query in any script',
  (query) => expect(queryLines(`1. ${query}`)).toEqual([query]),
)
