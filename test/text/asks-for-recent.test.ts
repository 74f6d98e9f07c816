import { describe, expect, it } from 'vitest'
import { asksForRecent } from '../../src/text/asks-for-recent.ts'

describe('asksForRecent', () => {
  it.each([
    'latest release notes',
    'What is the CURRENT visa fee?',
    'flu cases this   week',
    'neueste Meldungen',
    'aktueller Leitzins',
    'les dernières nouvelles du climat',
    "prix de l'or aujourd’hui",
    'noticias más recientes',
    'previsioni di questa settimana',
    'preço do café hoje',
    'nieuwste regels',
    '最新消息',
    '今週のニュース',
  ])('hears it in %j', (query) => expect(asksForRecent(query)).toBe(true))

  it.each([
    'new york pizza',
    'currents of the pacific',
    'actual cost of a bridge',
    'who wrote the last letters',
    'hoyle state',
    'translation',
    'precurrently',
    '',
  ])('does not hear it in %j', (query) => expect(asksForRecent(query)).toBe(false))
})
