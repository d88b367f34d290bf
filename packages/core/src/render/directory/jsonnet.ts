import { RenderError } from '../../errors/index.ts'
import type { RenderedManifest, RenderInput } from '../types.ts'
import type { ManifestFile } from './select.ts'

/** Jsonnet files of a directory source. */
export function renderJsonnet(file: ManifestFile, input: RenderInput): readonly RenderedManifest[] {
  throw new RenderError(
    'RENDER_UNSUPPORTED',
    `Failed to evaluate jsonnet "${file.name}": not supported yet`,
    {
      position: { path: file.path },
      data: { app: input.context.appName },
      hint: 'This version of litecd does not evaluate Jsonnet.',
    },
  )
}
