/** A repository URL may carry a password: it is no label. */
export function escapeLabel(value: string): string {
  return value
    .replace(/^(\w+:\/\/)[^/]*@/, '$1')
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('\n', '\\n')
}
