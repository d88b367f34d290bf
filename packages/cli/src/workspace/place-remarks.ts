import { sourcesOf } from '@litecd/core/argo'
import type { Renders } from './renders.ts'
import type { CompareOptions, KnownApp, Remark } from './report.ts'
import type { Workspace } from './repository.ts'

/** What a user should know who looks at the wrong place. */
export function placeRemarks(
  apps: ReadonlyMap<string, KnownApp>,
  { urls }: Workspace,
  { dir }: CompareOptions,
  renders: Renders,
): readonly Remark[] {
  const code = 'WORKSPACE_INVALID'
  if (apps.size === 0) {
    if (dir === '') return []
    const hint = 'Give the root of the repository as PATH to look at all of it.'
    return [{ code, message: `only the folder ${dir} was looked at`, hint }]
  }
  const all = [...apps.values()]
  if (all.some(({ app }) => sourcesOf(app.spec).some((source) => renders.isLocal(source))))
    return []
  const names = urls.length === 0 ? 'it has no remote' : `known as ${urls.join(', ')}`
  return [
    {
      code,
      message: `no Application has its source in this repository (${names}): all of them see other repositories`,
      hint: 'If this is the checkout of one of them, say so with --repo URL.',
    },
  ]
}
