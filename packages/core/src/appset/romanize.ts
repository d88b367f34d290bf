import { isAscii } from '../text/index.ts'

/** Letters of the Latin script that have no decomposition. */
const latin =
  'ßss µu æae Æae œoe Œoe øo Øo đd Đd ðd Ðd þth Þth łl Łl ıi ŋng Ŋng ħh Ħh ŧt Ŧt ĸk ſs ƒf ǝe ƿw ȝg ɑa ɛe əe'
const greek = 'αa βb γg δd εe ζz ηe θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υu φph χkh ψps ωo'
const cyrillic =
  "аa бb вv гg дd еe жzh зz иi йi кk лl мm нn оo пp рr сs тt уu фf хkh цts чch шsh щshch ъ' ыy ь' эe юiu яia ђdj ѓgj єie ѕdz іi їyi јj љlj њnj ћtsh ќkj ўu џdzh ґg ёio Ѐie"
const punctuation =
  '–- —- ‒- ‐- ‑- ‘\' ’\' “" ”" «" »" …... •* ·. ×x ÷/ €EU £PS ¥Y= ©(c) ®(r) ™tm °deg №No'

const table: ReadonlyMap<string, string> = new Map(
  [latin, greek, cyrillic, punctuation].flatMap((list) =>
    list.split(' ').map((entry): [string, string] => {
      const [char = ''] = entry
      return [char, entry.slice(char.length)]
    }),
  ),
)

/**
 * Letters without their marks, and Greek and Cyrillic ones in Latin spelling. What is not known goes away, as it does in
 * the original, which knows more scripts (Chinese, Japanese, Korean, Arabic, Hebrew, the Indian ones).
 *
 * Source: github.com/gosimple/unidecode v1.0 for the spellings
 */
export function romanize(text: string): string {
  if (isAscii(text)) return text
  let out = ''
  for (const char of text) {
    if (char < '\x80') {
      out += char
      continue
    }
    const known = table.get(char) ?? table.get(char.toLowerCase())
    if (known !== undefined) {
      out += known
      continue
    }
    for (const part of char.normalize('NFKD')) {
      if (part < '\x80') out += part
      else out += table.get(part) ?? table.get(part.toLowerCase()) ?? ''
    }
  }
  return out
}
