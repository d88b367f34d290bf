import { isLitecdError, RenderError } from '../../../errors/index.ts'
import { joinPath } from '../../../files/index.ts'
import type { Manifest } from '../../../kube/index.ts'
import { buildEnvironment } from '../../environment.ts'
import { parseKubeVersion } from '../../helm/index.ts'
import type { RenderedManifest, Renderer, RenderInput, RenderNeed } from '../../types.ts'
import { type Build, buildKustomization } from '../build.ts'
import { MissingRemote } from '../fail.ts'
import { type BuildFlags, readBuildFlags } from './build-options.ts'
import { editKustomization } from './edit.ts'
import { AnsweredRemotes } from './remotes.ts'

/** Source: argo-cd v3.5.1 reposerver/repository/repository.go, util/kustomize/kustomize.go Build */
export const kustomizeRenderer: Renderer = { sourceType: 'Kustomize', needs, render }

type Outcome =
  | { readonly build: Build }
  | { readonly needs: readonly RenderNeed[] }
  | { readonly error: unknown }

/** What `needs` built, so that `render` need not do it again. */
const outcomes = new WeakMap<RenderInput, Outcome>()

function needs(input: RenderInput): readonly RenderNeed[] {
  const outcome = run(input)
  outcomes.set(input, outcome)
  return 'needs' in outcome ? outcome.needs : []
}

function render(input: RenderInput): readonly RenderedManifest[] {
  const outcome = outcomes.get(input) ?? run(input)
  if ('error' in outcome) throw outcome.error
  if ('needs' in outcome) {
    throw new RenderError('RENDER_FAILED', 'the kustomization needs something that was not fetched')
  }
  return outcome.build.objects.map(({ value, file, line, inputs, trace }) => ({
    manifest: value as Manifest,
    origin: {
      path: file,
      ...(line === undefined ? {} : { line }),
      ...(inputs.length === 0 ? {} : { inputs }),
    },
    ...(trace === undefined ? {} : { trace }),
  }))
}

function run(input: RenderInput): Outcome {
  const remotes = new AnsweredRemotes(input.answers)
  try {
    return { build: build(input, remotes) }
  } catch (error) {
    if (error instanceof MissingRemote || remotes.needs.length > 0) return { needs: remotes.needs }
    return { error }
  }
}

const root = '<path to cached source>'

function build(input: RenderInput, remotes: AnsweredRemotes): Build {
  const { source, context, tree, path } = input
  const kustomize = source.kustomize ?? {}
  const { version } = kustomize
  if (version !== undefined && version !== '') {
    const isKnown = context.settings.kustomizeVersions.includes(version)
    if (!isKnown) {
      throw new RenderError(
        'KUSTOMIZE_FAILED',
        `error getting kustomize binary path: kustomize version ${version} is not registered`,
        { hint: 'litecd builds as kustomize 5.8.1 does; leave kustomize.version out.' },
      )
    }
  }
  const environment = buildEnvironment(source, input.revision, context)
  const kustomization = editKustomization(kustomize, { tree, path, environment })
  const flags = readBuildFlags(context.settings.kustomizeBuildOptions)
  const helm = helmOf(input, flags)
  const warnings: string[] = []
  try {
    return buildKustomization({ tree, display: root }, path, {
      rootOnly: flags.rootOnly,
      reorder: flags.reorder,
      managedByLabel: flags.managedByLabel,
      remotes,
      helm: { ...helm, chart: (request) => remotes.chart(request) },
      warn: (line) => warnings.push(line),
      traceFields: context.traceFields === true,
      ...(kustomization === undefined ? {} : { kustomization }),
    })
  } catch (error) {
    if (!isLitecdError(error) || error instanceof MissingRemote) throw error
    if (error.code === 'BUDGET_EXCEEDED' || error.code === 'RENDER_UNSUPPORTED') throw error
    const command = ['kustomize build', joinPath(root, path), ...flags.words, ...helm.words]
    const text = [...warnings, `Error: ${error.message}`].join('\n').trim()
    throw new RenderError(error.code, `\`${command.join(' ')}\` failed exit status 1: ${text}`, {
      position: error.position,
      hint: error.hint,
      data: error.data,
      cause: error,
    })
  }
}

function helmOf(
  input: RenderInput,
  flags: BuildFlags,
): {
  readonly enabled: boolean
  readonly kubeVersion: string
  readonly apiVersions: readonly string[]
  readonly words: readonly string[]
} {
  const { enableHelm } = flags
  const { helmKubeVersion, helmApiVersions } = flags
  if (!enableHelm) {
    return { enabled: false, kubeVersion: helmKubeVersion, apiVersions: helmApiVersions, words: [] }
  }
  const { kustomize, helm } = input.source
  const version = kustomize?.kubeVersion || helm?.kubeVersion || input.context.kubeVersion
  const given = [kustomize?.apiVersions, helm?.apiVersions, input.context.apiVersions]
  const apiVersions = given.find((list) => list !== undefined && list.length > 0) ?? []
  const kubeVersion = plainVersion(version)
  const words = [
    ...(kubeVersion === '' ? [] : ['--helm-kube-version', kubeVersion]),
    ...apiVersions.flatMap((apiVersion) => ['--helm-api-versions', apiVersion]),
  ]
  return {
    enabled: true,
    kubeVersion: kubeVersion || helmKubeVersion,
    apiVersions: [...helmApiVersions, ...apiVersions],
    words,
  }
}

function plainVersion(version: string): string {
  if (version === '') return ''
  parseKubeVersion(version)
  return /\d+(?:\.\d+)*/.exec(version)?.[0] ?? version
}
