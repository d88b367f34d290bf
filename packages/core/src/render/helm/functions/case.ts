import {
  isDigit,
  isLetter,
  isNumber,
  isPunct,
  isSpace,
  isUpper,
  lowerRune,
  replaceInvalid,
  upperRune,
} from '../../../text/index.ts'

function isConnector(char: string): boolean {
  return char === '-' || char === '_' || isSpace(char)
}

/** Upper camel case; connectors between words go, those in front and at the end stay. */
export function camelCase(text: string): string {
  const chars = [...replaceInvalid(text)]
  let i = 0
  let out = ''
  while (i < chars.length && isConnector(chars[i]!)) out += chars[i++]
  // the last one is written twice then
  if (i >= chars.length) return out + (chars.at(-1) ?? '')
  let previous = upperRune(chars[i]!)
  let capital = isUpper(chars[i]!)
  for (const char of chars.slice(i + 1)) {
    const before = previous
    previous = char
    if (isConnector(before) && isConnector(char)) {
      out += before
      continue
    }
    if (isConnector(before)) {
      capital = isUpper(char)
      previous = upperRune(char)
      continue
    }
    if (capital) {
      if (isUpper(char)) previous = lowerRune(char)
      else capital = false
    }
    out += before
  }
  return out + previous
}

type WordType = 'connector' | 'punct' | 'upper' | 'letter' | 'number' | 'other'

interface Word {
  readonly type: WordType
  readonly text: string
}

/** CJK ideographs, kana and hangul have no words and count as neither letters nor numbers. */
function isWideLetter(char: string): boolean {
  const point = char.codePointAt(0)!
  return (
    (point >= 0x3040 && point <= 0x30ff) ||
    (point >= 0x3400 && point <= 0x4dbf) ||
    (point >= 0x4e00 && point <= 0x9fff) ||
    (point >= 0xac00 && point <= 0xd7af) ||
    (point >= 0xf900 && point <= 0xfaff) ||
    (point >= 0x20000 && point <= 0x2fa1f)
  )
}

function classOf(char: string): WordType {
  if (isConnector(char)) return 'connector'
  if (isPunct(char)) return 'punct'
  if (isUpper(char)) return 'upper'
  if (isLetter(char) && !isWideLetter(char)) return 'letter'
  if (isDigit(char) || isNumber(char)) return 'number'
  return 'other'
}

/** Characters, each with the invalid ones in front of it; those at the end count as one more of the last. */
function clustersOf(text: string): { readonly chars: string[]; readonly types: WordType[] } {
  const chars: string[] = []
  const types: WordType[] = []
  let invalid = ''
  for (const char of text) {
    if (char === '\ufffd' || !char.isWellFormed()) invalid += char
    else {
      chars.push(invalid + char)
      types.push(classOf(char))
      invalid = ''
    }
  }
  if (invalid !== '') {
    chars.push(invalid)
    types.push(types.at(-1) ?? 'other')
  }
  return { chars, types }
}

function wordsOf(text: string): Word[] {
  const { chars, types } = clustersOf(text)
  const words: Word[] = []
  let i = 0
  while (i < chars.length) {
    const start = i
    const type = types[i++]!
    const run = (wanted: WordType): void => {
      while (types[i] === wanted) i++
    }
    if (type === 'upper') {
      if (types[i] === 'upper') {
        run('upper')
        // the last capital begins the word of the letters that follow
        if (types[i] === 'letter') i--
      } else run('letter')
    } else if (type === 'other') {
      run('other')
    } else if (type === 'punct') {
      // within punctuation a dash is no connector any more
      while (i < chars.length && isPunct([...chars[i]!].at(-1)!)) i++
    } else run(type)
    words.push({ type, text: chars.slice(start, i).join('') })
  }
  return words
}

/** snakecase and kebabcase: words in lower case with a connector between them. */
export function separateCase(text: string, connector: string): string {
  const words = wordsOf(text)
  let out = ''
  const emit = (word: Word): void => {
    if (word.type === 'connector' || word.type === 'upper') {
      for (const char of replaceInvalid(word.text)) {
        out += isConnector(char) ? connector : lowerRune(char)
      }
    } else out += word.text
  }
  const separates = (word: Word | undefined): boolean =>
    word !== undefined && word.type !== 'connector' && word.type !== 'punct'
  let i = 0
  while (i < words.length) {
    const word = words[i++]!
    emit(word)
    if (word.type === 'connector' || word.type === 'punct') continue
    if (word.type === 'number') {
      absorb()
      continue
    }
    const next = words[i]
    if (next?.type !== 'number') {
      if (separates(next)) out += connector
      continue
    }
    const after = words[i + 1]
    if (after === undefined) {
      emit(next)
      i++
    } else if (after.type === 'letter') {
      out += connector
      emit(next)
      i++
      absorb()
    } else {
      emit(next)
      i++
      if (separates(after)) out += connector
    }
  }
  return out

  /** Letters and numbers right behind a number belong to it; then a separator. */
  function absorb(): void {
    while (words[i]?.type === 'letter' || words[i]?.type === 'number') emit(words[i++]!)
    if (separates(words[i])) out += connector
  }
}
