const special = /["\\\u0000-\u001f\u007f-\u009f]/
const beyondJson = /[\u007f-\u009f]/g

/** A string in double quotes as jsonnet's output writes it; it escapes U+007F to U+009F, which JSON need not. */
export function quoteString(text: string): string {
  return special.test(text) ? escapeAlso(text, beyondJson) : `"${text}"`
}

const plain = /^[ !#-[\]-\u2027\u202a-\ud7ff\ue000-\uffff]*$/
const separators = /[\u2028\u2029]/g

/** A string as Go's encoding/json writes it without escapes for HTML. */
export function goJsonString(text: string): string {
  return plain.test(text) ? `"${text}"` : escapeAlso(text, separators)
}

function escapeAlso(text: string, more: RegExp): string {
  return JSON.stringify(text).replace(
    more,
    (char) => '\\u' + char.charCodeAt(0).toString(16).padStart(4, '0'),
  )
}
