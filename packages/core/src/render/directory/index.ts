// render/directory: plain YAML, JSON and Jsonnet files of a folder.
import type { RenderedManifest, Renderer, RenderInput } from '../types.ts'
import { readManifests } from './documents.ts'
import { JsonnetFiles } from './jsonnet.ts'
import { selectFiles } from './select.ts'

/** Source: argo-cd v3.5.1 reposerver/repository/repository.go findManifests */
export const directoryRenderer: Renderer = {
  sourceType: 'Directory',
  needs: () => [],
  render: renderDirectory,
}

function renderDirectory(input: RenderInput): readonly RenderedManifest[] {
  const options = input.source.directory ?? {}
  const files = selectFiles(
    input.tree,
    input.path,
    options,
    input.context.settings.maxManifestBytes,
  )
  const out: RenderedManifest[] = []
  let jsonnet: JsonnetFiles | undefined
  for (const file of files) {
    if (!file.name.endsWith('.jsonnet')) out.push(...readManifests(file, input.context))
    else if (input.context.settings.sourceTypes.jsonnet) {
      jsonnet ??= new JsonnetFiles(input)
      out.push(...jsonnet.read(file))
    }
  }
  return out
}
