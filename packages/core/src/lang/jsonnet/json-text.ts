const special = /["\\\u0000-\u001f\u007f-\u009f]/

/** A string in double quotes as jsonnet's output writes it; it escapes U+007F to U+009F, which JSON need not. */
export function quoteString(text: string): string {
  if (!special.test(text)) return '"' + text + '"'
  let out = '"'
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0x20 && code < 0x7f && code !== 0x22 && code !== 0x5c) continue
    if (code > 0x9f) continue
    out += text.slice(from, i) + escapes(code)
    from = i + 1
  }
  return out + text.slice(from) + '"'
}

function escapes(code: number): string {
  switch (code) {
    case 0x22:
      return '\\"'
    case 0x5c:
      return '\\\\'
    case 0x08:
      return '\\b'
    case 0x0c:
      return '\\f'
    case 0x0a:
      return '\\n'
    case 0x0d:
      return '\\r'
    case 0x09:
      return '\\t'
    default:
      return '\\u' + code.toString(16).padStart(4, '0')
  }
}
