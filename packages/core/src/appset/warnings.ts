import type { ErrorCode } from '../errors/index.ts'
import { isObject, type Json, type JsonObject } from '../json/index.ts'
import type { ApplicationSet, GeneratorItem } from './types.ts'

/** What somebody should know about a set that works. */
export interface SetWarning {
  readonly code: ErrorCode
  readonly message: string
  readonly hint: string
}

/** Generators whose parameters are written by whoever writes to a repository, opens a pull request or runs a plugin. */
const foreign = ['git', 'scmProvider', 'pullRequest', 'plugin']

/**
 * A project that is a template is chosen by whoever chooses the parameters; and git generators of such a set use no
 * credentials of a project and check no signatures.
 *
 * Source: argo-cd v3.5.1 applicationset/generators/git.go GenerateParams, docs/operator-manual/applicationset/Security.md
 */
export function warningsOf({ spec }: ApplicationSet): readonly SetWarning[] {
  const kinds = [...new Set(kindsIn(spec.generators))]
  const templates = [spec.template, ...spec.generators.flatMap(ownTemplates)]
  if (!templates.some(choosesProject)) return []
  const writers = kinds.filter((kind) => foreign.includes(kind))
  if (writers.length === 0) return []
  const checks = writers.includes('git')
    ? '; git generators of the set use no credentials of a project and check no signatures'
    : ''
  return [
    {
      code: 'APPSET_PROJECT_CHOSEN',
      message: `template.spec.project is a template: whoever decides what the ${writers.join(', ')} ${writers.length === 1 ? 'generator finds' : 'generators find'} chooses the project of the Applications${checks}`,
      hint: 'Write the name of the project, or make sure that only admins decide what is found.',
    },
  ]
}

function choosesProject(template: JsonObject): boolean {
  const spec = template['spec']
  const project = isObject(spec) ? spec['project'] : undefined
  return typeof project === 'string' && project.includes('{{')
}

function ownTemplates(item: GeneratorItem): readonly JsonObject[] {
  return Object.values(item).flatMap((spec) => {
    const template = isObject(spec) ? spec['template'] : undefined
    return isObject(template) ? [template] : []
  })
}

function kindsIn(generators: readonly GeneratorItem[]): readonly string[] {
  return generators.flatMap((item) =>
    Object.entries(item).flatMap(([kind, spec]) => {
      if (!isObject(spec)) return []
      const inner: Json | undefined = spec['generators']
      const isBranch = (kind === 'matrix' || kind === 'merge') && Array.isArray(inner)
      return isBranch ? kindsIn(inner.filter(isObject) as readonly GeneratorItem[]) : [kind]
    }),
  )
}
