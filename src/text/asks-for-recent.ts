/**
 * Whether a query asks for what is new: "latest", "this week". Queries do not say their language, so the words of all languages
 * are looked for, and words that mean something else in another one are missing, such as Spanish "actual".
 */
const phrases: Readonly<Record<string, string>> = {
  english:
    'latest|newest|most recent|recent|recently|current|currently|up to date|right now|today|yesterday|breaking news|' +
    '(?:this|last|past) (?:week|month|quarter|year)',
  german:
    'neueste[nmrs]?|aktuell(?:e[nmrs]?)?|jungste[nmrs]?|kurzlich|heute|gestern|' +
    '(?:diese[nrs]?|letzte[nrs]?) (?:woche|monats?|jahr(?:es)?)',
  french:
    "recemment|recente?s?|derniere?s? (?:nouvelles?|versions?)|actuellement|aujourd'hui|hier soir|" +
    '(?:cette semaine|ce mois|cette annee)',
  spanish:
    'mas recientes?|recientes?|recientemente|ultim[ao]s? (?:noticias?|version(?:es)?)|actualmente|hoy|ayer|' +
    'est[ae] (?:semana|mes|ano)',
  italian: 'recenti|recentemente|attualmente|ultimissim[aeio]|oggi|quest[oa] (?:settimana|mese)|quest anno',
  portuguese: 'recentemente|atualmente|hoje|ontem|nest[ae] (?:semana|mes|ano)',
  dutch: 'nieuwste|meest recente|actuele|momenteel|vandaag|gisteren|deze (?:week|maand)|dit jaar',
}

const spaced = new RegExp(`(?<![\\p{L}\\p{N}])(?:${Object.values(phrases).join('|')})(?![\\p{L}\\p{N}])`, 'u')
/** Chinese and Japanese write no blanks between words. */
const unspaced = /最新|最近|今天|今日|昨天|昨日|本周|今週|本月|今月|今年|目前|現在/u

/** Characters of a query that are read. */
const maxLength = 2000

export function asksForRecent(query: string): boolean {
  const text = query.slice(0, maxLength)
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replaceAll('’', "'").toLowerCase()
  return spaced.test(plain.replace(/\s+/g, ' ')) || unspaced.test(text)
}
