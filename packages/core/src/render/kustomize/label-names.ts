/**
 * What is wrong with the key or the value of a label, in the words of Kubernetes.
 *
 * Source: k8s.io/apimachinery v0.19.8 pkg/util/validation/validation.go, as kyaml holds it
 */
const namePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
const partPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomainPattern = `${partPattern}(\\.${partPattern})*`
const subdomainRule =
  "a DNS-1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"

function described(rule: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}'`).join(',  or ')
  return `${rule} (e.g. ${shown}, regex used for validation is '${pattern}')`
}

function fits(text: string, pattern: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(text)
}

const describedName = described(nameRule, namePattern, 'MyName', 'my.name', '123-abc')

export function labelKeyProblems(key: string): readonly string[] {
  const parts = key.split('/')
  if (parts.length > 2) {
    return [
      `a qualified name ${describedName} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const problems: string[] = []
  const name = parts.at(-1)!
  const [prefix] = parts
  if (parts.length === 2 && prefix === '') problems.push('prefix part must be non-empty')
  else if (parts.length === 2) {
    if (prefix!.length > 253) problems.push('prefix part must be no more than 253 characters')
    if (!fits(prefix!, subdomainPattern)) {
      problems.push(`prefix part ${described(subdomainRule, subdomainPattern, 'example.com')}`)
    }
  }
  if (name === '') problems.push('name part must be non-empty')
  else if (name.length > 63) problems.push('name part must be no more than 63 characters')
  if (!fits(name, namePattern)) problems.push(`name part ${describedName}`)
  return problems
}

export function labelValueProblems(value: string): readonly string[] {
  const problems: string[] = []
  if (value.length > 63) problems.push('must be no more than 63 characters')
  if (!fits(value, `(${namePattern})?`)) {
    const rule = `a valid label must be an empty string or consist of ${nameRule.slice('must consist of '.length)}`
    problems.push(described(rule, `(${namePattern})?`, 'MyValue', 'my_value', '12345'))
  }
  return problems
}
