import { RenderError } from '../../../errors/index.ts'
import { fail } from '../fail.ts'

/** What the setting `kustomize.buildOptions` asks for. */
export interface BuildFlags {
  readonly words: readonly string[]
  readonly enableHelm: boolean
  readonly rootOnly: boolean
  /** Undefined when no option says it. */
  readonly reorder: 'legacy' | 'none' | undefined
  readonly managedByLabel: boolean
  readonly helmKubeVersion: string
  readonly helmApiVersions: readonly string[]
}

const switches = new Set([
  '--enable-helm',
  '--enable-managedby-label',
  '--enable-alpha-plugins',
  '--helm-debug',
])
const valued = new Set([
  '--load-restrictor',
  '--load_restrictor',
  '--reorder',
  '--helm-kube-version',
  '--helm-api-versions',
  '--helm-command',
  '--env',
  '-e',
])

/**
 * Reads options of `kustomize build`, cut at white space as Argo CD cuts them.
 *
 * Errors: RENDER_UNSUPPORTED for an option that is not understood, by its name; KUSTOMIZE_FAILED for bad values.
 */
export function readBuildFlags(text: string): BuildFlags {
  const words = text.split(/\s+/).filter((word) => word !== '')
  const on = new Set<string>()
  const values = new Map<string, string[]>()
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    const equals = word.indexOf('=')
    const name = equals === -1 ? word : word.slice(0, equals)
    if (switches.has(name)) {
      if (equals === -1 || word.slice(equals + 1) !== 'false') on.add(name)
    } else if (valued.has(name)) {
      const value = equals === -1 ? words[++i] : word.slice(equals + 1)
      if (value === undefined) fail(`flag needs an argument: ${name}`)
      values.set(name, [...(values.get(name) ?? []), value])
    } else {
      throw new RenderError(
        'RENDER_UNSUPPORTED',
        `the option ${name} of kustomize build is not supported`,
        { hint: 'Take it out of kustomize.buildOptions in argocd-cm.' },
      )
    }
  }
  const last = (name: string): string | undefined => values.get(name)?.at(-1)
  const restrictor = last('--load-restrictor') ?? last('--load_restrictor')
  if (restrictor !== undefined && !/^LoadRestrictions(?:None|RootOnly)$/.test(restrictor)) {
    fail(
      `illegal flag value --load-restrictor ${restrictor}; legal values: [LoadRestrictionsRootOnly LoadRestrictionsNone]`,
    )
  }
  const reorder = last('--reorder')
  if (reorder !== undefined && reorder !== 'legacy' && reorder !== 'none') {
    fail(`illegal flag value --reorder ${reorder}; legal values: [legacy none]`)
  }
  return {
    words,
    enableHelm: on.has('--enable-helm'),
    rootOnly: restrictor !== 'LoadRestrictionsNone',
    reorder,
    managedByLabel: on.has('--enable-managedby-label'),
    helmKubeVersion: last('--helm-kube-version') ?? '',
    helmApiVersions: (values.get('--helm-api-versions') ?? []).flatMap((list) => list.split(',')),
  }
}
