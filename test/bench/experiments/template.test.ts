import { describe, expect, it } from 'vitest'
import {
  asIs,
  describeTemplate,
  hasSlot,
  madeOf,
  slotNames,
  templatesOf,
} from '../../../bench/experiments/template.ts'
import { prepared } from '../../support/prepared.ts'

const rich = prepared({ qid: 'rich', golds: [], asIs: [], found: { keywords: [], name: [], bridge: [] } })
const poor = prepared({ qid: 'poor', golds: [], asIs: [], found: { name: [] } })

const templateOf = (words: string): number =>
  templatesOf(rich).find((template) => describeTemplate(template) === words)!

describe('templates', () => {
  it('the first choice is the query as it is, and each choice has a template of its own', () => {
    const templates = templatesOf(rich)
    expect(templates[0]).toBe(asIs)
    expect(new Set(templates).size).toBe(rich.choices.length)
    expect(describeTemplate(asIs)).toBe('the query')
  })

  it('say in words what a choice has', () => {
    const choice = rich.choices.findIndex(
      ({ members, withOriginal }) => withOriginal && members.join() === '1,2',
    )
    expect(describeTemplate(templatesOf(rich)[choice]!)).toBe('the query + names + bridge 1')
  })

  it('hasSlot tells the slots of a template', () => {
    const template = templateOf('names + bridge 1')
    expect(slotNames.filter((_, slot) => hasSlot(template, slot))).toEqual(['names', 'bridge 1'])
  })
})

describe('madeOf', () => {
  it('finds the choice that fills a template', () => {
    const templates = templatesOf(rich)
    for (const [choice, template] of templates.entries()) expect(madeOf(template, templates)).toBe(choice)
  })

  it('takes the largest part that can be made, with the vote of the query as it was', () => {
    const templates = templatesOf(poor)
    const made = (words: string): string => describeTemplate(templates[madeOf(templateOf(words), templates)]!)
    expect(made('the query + names + bridge 1')).toBe('the query + names')
    expect(made('names + bridge 1')).toBe('names')
  })

  it('is the query as it is where nothing can be made', () => {
    expect(madeOf(templateOf('keywords'), templatesOf(poor))).toBe(0)
    expect(madeOf(templateOf('the query + keywords'), templatesOf(poor))).toBe(0)
  })
})
