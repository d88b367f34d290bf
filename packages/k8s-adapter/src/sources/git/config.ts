/** Values of a git config file: `section.key` or `section.subsection.key` → values in order. Includes are not followed. */
export type GitConfig = ReadonlyMap<string, readonly string[]>

/**
 * Reads a git config file. Section and key are lower-cased, a subsection keeps its case. A key without '=' is 'true'.
 *
 * Source: git Documentation/config "Syntax"
 */
export function parseGitConfig(text: string): GitConfig {
  const values = new Map<string, string[]>()
  let section = ''
  const lines = text.split(/\r?\n/)
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i]!.trim()
    const head = /^\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line)
    if (head !== null) {
      const name = head[1]!.toLowerCase()
      section = head[2] === undefined ? name : `${name}.${head[2].replace(/\\(.)/g, '$1')}`
      line = line.slice(head[0].length).trim()
    }
    const pair = /^([A-Za-z][\w-]*)\s*(=?)\s*(.*)$/.exec(line)
    if (pair === null) continue
    let raw = pair[3]!
    while (/(^|[^\\])(\\\\)*\\$/.test(raw) && i + 1 < lines.length)
      raw = raw.slice(0, -1) + lines[++i]!
    const key = `${section}.${pair[1]!.toLowerCase()}`
    const list = values.get(key) ?? []
    list.push(pair[2] === '' ? 'true' : unquote(raw))
    values.set(key, list)
  }
  return values
}

export function lastValue(config: GitConfig, key: string): string | undefined {
  return config.get(key)?.at(-1)
}

/** git's booleans: yes, on, true, 1 and no, off, false, 0 and ''. */
export function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(yes|on|true|[1-9]\d*)$/i.test(value)
}

function unquote(raw: string): string {
  let out = ''
  let kept = 0 // how much of `out` was quoted or is no trailing space
  let quoted = false
  for (let i = 0; i < raw.length; i++) {
    const char = raw[i]!
    if (char === '"') quoted = !quoted
    else if (char === '\\') {
      const next = raw[++i] ?? ''
      out += next === 'n' ? '\n' : next === 't' ? '\t' : next === 'b' ? '\b' : next
    } else if (!quoted && (char === '#' || char === ';')) break
    else out += char
    if (quoted || (char !== ' ' && char !== '\t')) kept = out.length
  }
  return out.slice(0, kept)
}
