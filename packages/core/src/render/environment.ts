import type { ApplicationSource } from '../argo/index.ts'

export type BuildEnvironment = { readonly [name: string]: string }

/** The variables that a source may use. Source: argo-cd v3.5.1 reposerver/repository newEnv */
export function buildEnvironment(
  source: ApplicationSource,
  revision: string,
  app: { readonly appName: string; readonly namespace: string; readonly project: string },
): BuildEnvironment {
  return {
    ARGOCD_APP_NAME: app.appName,
    ARGOCD_APP_NAMESPACE: app.namespace,
    ARGOCD_APP_PROJECT_NAME: app.project,
    ARGOCD_APP_REVISION: revision,
    ARGOCD_APP_REVISION_SHORT: revision.slice(0, 7),
    ARGOCD_APP_REVISION_SHORT_8: revision.slice(0, 8),
    ARGOCD_APP_SOURCE_REPO_URL: source.repoURL,
    ARGOCD_APP_SOURCE_PATH: source.path ?? '',
    ARGOCD_APP_SOURCE_TARGET_REVISION: source.targetRevision ?? '',
  }
}

const specialNames = '*#$@!?-0123456789'

/**
 * Substitutes `$NAME` and `${NAME}` as Go's os.Expand does: unknown names become empty, `$$` becomes `$`, `$` before
 * anything else stays, `${}` and an unterminated `${` vanish.
 */
export function expandEnvironment(text: string, environment: BuildEnvironment): string {
  let out = ''
  let at = 0
  for (;;) {
    const dollar = text.indexOf('$', at)
    if (dollar === -1 || dollar + 1 >= text.length) return out + text.slice(at)
    out += text.slice(at, dollar)
    const { name, width } = variableAt(text, dollar + 1)
    if (name === '' && width > 0) {
      // bad syntax: the characters are eaten
    } else if (name === '') out += '$'
    else if (name === '$') out += '$'
    else out += Object.hasOwn(environment, name) ? environment[name]! : ''
    at = dollar + 1 + width
  }
}

function variableAt(text: string, at: number): { readonly name: string; readonly width: number } {
  if (text[at] === '{') {
    const special = text[at + 1]
    if (special !== undefined && specialNames.includes(special) && text[at + 2] === '}') {
      return { name: special, width: 3 }
    }
    const end = text.indexOf('}', at + 1)
    if (end === -1) return { name: '', width: 1 }
    return end === at + 1
      ? { name: '', width: 2 }
      : { name: text.slice(at + 1, end), width: end - at + 1 }
  }
  if (specialNames.includes(text[at]!)) return { name: text[at]!, width: 1 }
  let end = at
  while (end < text.length && /[A-Za-z0-9_]/.test(text[end]!)) end++
  return { name: text.slice(at, end), width: end - at }
}
