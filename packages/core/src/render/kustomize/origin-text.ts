import { formatYamlNode, YamlNode } from '../../yaml/index.ts'
import { emptyMap, scalar, textNode } from './node.ts'

/** Who made an object, or changed it: what `buildMetadata` writes into annotations. */
export interface BuildOrigin {
  readonly path?: string
  readonly repo?: string
  readonly ref?: string
  readonly configuredIn?: string
  readonly configuredBy?: {
    readonly apiVersion: string
    readonly kind: string
    readonly name?: string
    readonly namespace?: string
  }
}

export const originName = 'config.kubernetes.io/origin'
export const transformationsName = 'alpha.config.kubernetes.io/transformations'

/** Where an object comes from, as the annotation has it. */
export function originText(origin: BuildOrigin): string {
  return formatYamlNode(originNode(origin))
}

function originNode(origin: BuildOrigin): YamlNode {
  const node = emptyMap()
  const put = (map: YamlNode, name: string, text: string | undefined): void => {
    if (text !== undefined && text !== '') map.content.push(scalar(name, '!!str'), textNode(text))
  }
  put(node, 'path', origin.path)
  put(node, 'repo', origin.repo)
  put(node, 'ref', origin.ref)
  put(node, 'configuredIn', origin.configuredIn)
  const by = origin.configuredBy
  if (by !== undefined) {
    const inner = emptyMap()
    put(inner, 'apiVersion', by.apiVersion)
    put(inner, 'kind', by.kind)
    put(inner, 'name', by.name)
    put(inner, 'namespace', by.namespace)
    node.content.push(scalar('configuredBy', '!!str'), inner)
  }
  return node
}

/** Of everything that changed an object, as the annotation has it. */
export function transformationsText(transformations: readonly BuildOrigin[]): string {
  const list = new YamlNode('sequence', '!!seq')
  list.content = transformations.map(originNode)
  return formatYamlNode(list)
}
