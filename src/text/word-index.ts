/**
 * Finds the words of texts by their letters and gives them ids, from 0 in the order of adding. Cheaper than a string for
 * every word of a text: what decides is how often memory is read that no cache has, and here that is twice a word.
 */
export interface WordIndex {
  /** The place of a stretch of a text: where the word is, or where it belongs. Holds until the next `add`. */
  find(text: string, start: number, end: number, hash: number): number
  /** The id of the word at a place. −1 if there is none. */
  idAt(place: number): number
  /** What was noted for the word at a place. */
  noteAt(place: number): number
  /** Adds a word that is not there, and returns its id. */
  add(word: string, hash: number): number
  /** Notes a number for a word that is there. */
  note(word: string, hash: number, note: number): void
}

/** What a slot holds: the word's id + 1 (0 if the slot is empty), its hash, where its letters begin, and its note. */
const [idPart, hashPart, lettersPart, notePart, slotSize] = [0, 1, 2, 3, 4]

export function createWordIndex(): WordIndex {
  /** By hash, with open addressing. At least half of the slots are empty. */
  let slots = new Int32Array(slotSize << 13)
  let size = 0
  /** The letters of all words, with a 0 after each word. No word has a 0. */
  let letters = new Uint16Array(1 << 15)
  let lettersEnd = 0

  function find(text: string, start: number, end: number, hash: number): number {
    const mask = slots.length - 1
    let slot = (slotSize * spread(hash)) & mask
    for (; slots[slot + idPart] !== 0; slot = (slot + slotSize) & mask)
      if (slots[slot + hashPart] === hash && isAt(slots[slot + lettersPart]!, text, start, end)) break
    return slot
  }

  function isAt(place: number, text: string, start: number, end: number): boolean {
    let letter = place
    for (let at = start; at < end; at++) if (letters[letter++] !== text.charCodeAt(at)) return false
    return letters[letter] === 0
  }

  function grow(): void {
    const smaller = slots
    slots = new Int32Array(2 * smaller.length)
    const mask = slots.length - 1
    for (let from = 0; from < smaller.length; from += slotSize) {
      if (smaller[from + idPart] === 0) continue
      let slot = (slotSize * spread(smaller[from + hashPart]!)) & mask
      while (slots[slot + idPart] !== 0) slot = (slot + slotSize) & mask
      for (let part = 0; part < slotSize; part++) slots[slot + part] = smaller[from + part]!
    }
  }

  function keepLetters(word: string): void {
    if (lettersEnd + word.length >= letters.length) {
      const wider = new Uint16Array(2 * (lettersEnd + word.length))
      wider.set(letters)
      letters = wider
    }
    for (let at = 0; at < word.length; at++) letters[lettersEnd++] = word.charCodeAt(at)
    lettersEnd++
  }

  return {
    find,
    idAt: (place) => slots[place + idPart]! - 1,
    noteAt: (place) => slots[place + notePart]!,
    add(word, hash) {
      if (2 * slotSize * (size + 1) > slots.length) grow()
      const slot = find(word, 0, word.length, hash)
      slots[slot + idPart] = ++size
      slots[slot + hashPart] = hash
      slots[slot + lettersPart] = lettersEnd
      keepLetters(word)
      return size - 1
    },
    note(word, hash, note) {
      slots[find(word, 0, word.length, hash) + notePart] = note
    },
  }
}

/** Hashes of similar words are close together. This puts them far apart, so that they do not queue for the same slots. */
function spread(hash: number): number {
  const mixed = Math.imul(hash, 0x9e3779b1)
  return mixed ^ (mixed >>> 15)
}
