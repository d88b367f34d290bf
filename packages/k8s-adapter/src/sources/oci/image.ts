import { SourceError } from '@litecd/core/errors'
import type { FileTree } from '@litecd/core/files'
import { reworded } from '../answer-error.ts'
import { maxExtractedBytes, subTree, unpack } from '../archive.ts'
import { isConstraint, maxVersion } from '../versions.ts'
import type { Descriptor, Registry, RegistryCall } from './registry.ts'

export const helmConfigType = 'application/vnd.cncf.helm.config.v1+json'
const legacyLayerType = 'application/tar+gzip'
export const helmLayerType = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip'

/** Media types of layers that are taken unless settings say otherwise (ARGOCD_REPO_SERVER_OCI_LAYER_MEDIA_TYPES). */
export const defaultLayerTypes: readonly string[] = [
  'application/vnd.oci.image.layer.v1.tar',
  'application/vnd.oci.image.layer.v1.tar+gzip',
  helmLayerType,
]

const maxLayers = 10

export interface Manifest {
  readonly config?: { readonly mediaType?: string }
  readonly layers?: readonly Descriptor[]
}

/**
 * The digest of a tag, a digest, or the highest tag that satisfies a constraint. In tags `_` stands for `+`.
 *
 * @throws SourceError in Argo CD's words
 * Source: argo-cd v3.5.1 util/oci/client.go resolveRevision
 */
export async function resolveImage(
  registry: Registry,
  repository: string,
  revision: string,
  tags: () => Promise<readonly string[]>,
  call: RegistryCall = {},
): Promise<string> {
  const prefix = `failed to resolve revision ${JSON.stringify(revision)}: `
  const digest = async (reference: string): Promise<string> => {
    try {
      return (await registry.resolve(repository, reference.replaceAll('+', '_'), call)).digest
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      throw reworded(error, `${prefix}cannot get digest for revision ${reference}: `)
    }
  }
  try {
    // Parity: a constraint is asked for as if it were a tag first.
    return await digest(revision)
  } catch (error) {
    if (!isConstraint(revision)) throw error
  }
  let known: readonly string[]
  try {
    known = await tags()
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    throw reworded(error, `${prefix}error fetching tags: failed to get tags: `)
  }
  const answer = maxVersion(
    revision,
    known.map((tag) => tag.replaceAll('_', '+')),
  )
  if ('error' in answer) {
    throw new SourceError(
      'SOURCE_REVISION_UNKNOWN',
      `${prefix}no version for constraints: ${answer.error}`,
    )
  }
  return digest(answer.version)
}

/** The one layer of an image that holds its files, and what is to be done with it. */
export interface ContentLayer {
  readonly descriptor: Descriptor
  /** The files lie in the only folder of the archive. */
  readonly unwrap: boolean
}

/**
 * Picks the layer with the files of an image.
 *
 * @throws SourceError SOURCE_REFUSED in Argo CD's words
 * Source: argo-cd v3.5.1 util/oci/client.go extract
 */
export function contentLayer(
  manifest: Manifest,
  allowed: readonly string[] = defaultLayerTypes,
): ContentLayer {
  const layers = manifest.layers ?? []
  const refuse = (why: string): SourceError => new SourceError('SOURCE_REFUSED', why)
  if (layers.length > maxLayers) {
    throw refuse(`expected no more than ${maxLayers} oci layers, got ${layers.length}`)
  }
  const isChart = manifest.config?.mediaType === helmConfigType
  const found = layers.filter(({ mediaType }) =>
    isChart ? mediaType === helmLayerType : /(tar\+gzip|tar\.gzip|tar)$/.test(mediaType),
  )
  for (const { mediaType } of found) {
    if (!allowed.includes(mediaType)) {
      throw refuse(`oci layer media type ${mediaType} is not in the list of allowed media types`)
    }
  }
  const [descriptor] = found
  if (descriptor === undefined || found.length !== 1) {
    throw refuse(`expected only a single oci content layer, got ${found.length}`)
  }
  return { descriptor, unwrap: descriptor.mediaType === helmLayerType }
}

/**
 * The layer with the archive of a chart, as `helm pull` picks it.
 *
 * @throws SourceError SOURCE_CORRUPT in the words of helm
 * Source: helm v4.2.2 pkg/registry/client.go processChartPull
 */
export function chartLayer(manifest: Manifest): Descriptor {
  const corrupt = (why: string): SourceError => new SourceError('SOURCE_CORRUPT', why)
  const hasConfig = manifest.config?.mediaType === helmConfigType
  const layers = (manifest.layers ?? []).filter(
    ({ mediaType }) => mediaType === helmLayerType || mediaType === legacyLayerType,
  )
  const descriptors = 1 + (hasConfig ? 1 : 0) + layers.length
  if (descriptors < 2) {
    throw corrupt(
      `manifest does not contain minimum number of descriptors (2), descriptors found: ${descriptors}`,
    )
  }
  if (!hasConfig) throw corrupt(`could not load config with mediatype ${helmConfigType}`)
  const layer = layers.at(-1)
  if (layer === undefined) {
    throw corrupt(`manifest does not contain a layer with mediatype ${helmLayerType}`)
  }
  return layer
}

/**
 * The files of a layer.
 *
 * @throws SourceError in Argo CD's words
 */
export async function unpackLayer(
  bytes: Uint8Array,
  unwrap: boolean,
  digest: string,
  maxBytes: number = maxExtractedBytes,
): Promise<FileTree> {
  const prefix = `cannot extract contents of oci image with revision ${digest}: `
  let tree: FileTree
  try {
    tree = await unpack(bytes, maxBytes)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    throw reworded(error, `${prefix}could not decompress layer: `)
  }
  if (!unwrap) return tree
  const [only, ...others] = tree.list('') ?? []
  if (only?.kind !== 'directory' || others.length > 0) {
    const count = (tree.list('') ?? []).length
    throw new SourceError('SOURCE_CORRUPT', `${prefix}expected 1 directory, found ${count}`)
  }
  return subTree(tree, only.name)
}
