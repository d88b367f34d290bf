import { RenderError } from '../../errors/index.ts'
import { isObject, type Json, type JsonObject } from '../../json/index.ts'
import type { YamlNode } from '../../yaml/index.ts'
import { type FieldSpec, fieldSpecOf } from './config.ts'
import { fail, within } from './fail.ts'
import { generate, nameHash } from './generate.ts'
import { gvkText, idText } from './id.ts'
import type {
  FieldSpecArgs,
  GeneratorArgs,
  ImageArgs,
  PatchArgs,
  ReplacementArgs,
} from './kustomization.ts'
import {
  configMapShape,
  fieldSpecShape,
  imageShape,
  patchShape,
  replacementShape,
  replicaShape,
  secretShape,
  selectorShape,
} from './kustomization-shapes.ts'
import type { Loader } from './loader.ts'
import { emptyMap, scalar, textNode } from './node.ts'
import type { Objects } from './objects.ts'
import { json6902Transformer, strategicMergeTransformer } from './older-patches.ts'
import { patchTransformer, type Transformer } from './patch.ts'
import { replacementTransformer } from './replace.ts'
import { Resource } from './resource.ts'
import type { Schemas } from './schema.ts'
import { readShape, type Shape } from './shape.ts'
import {
  addAffix,
  type SubjectMode,
  setImages,
  setNamespaces,
  setReplicas,
  setTexts,
} from './transform.ts'
import { valueAdd, valueTargetShape } from './value-add.ts'

/** What a plugin may use while it is configured. */
export interface PluginHost {
  readonly loader: Loader
  readonly schemas: () => Schemas
  readonly file: string
  /** Told the bytes that a generator puts into an object. */
  spend(bytes: number): void
  /** Objects of a chart, by the arguments of one entry of helmCharts. */
  inflate(args: JsonObject): () => Resource[]
}

export type Generator = () => Resource[]

type Config = { readonly [field: string]: Json }

/** Puts the hash of their content behind the names of generated objects. */
export function addHashes(objects: Objects): void {
  for (const resource of objects.list) {
    if (!resource.needsHash || resource.node === undefined) continue
    const hash = nameHash(resource)
    resource.remember()
    resource.setName(`${resource.name}-${hash}`)
    resource.touched = true
  }
  objects.changed()
}

function specsOf(config: Config): readonly FieldSpec[] {
  return ((config['fieldSpecs'] ?? []) as readonly FieldSpecArgs[]).map(fieldSpecOf)
}

const specs: { readonly [name: string]: Shape } = { fieldSpecs: { list: fieldSpecShape } }
const textMap: Shape = { map: 'string' }
const metadata: { readonly [name: string]: Shape } = {
  metadata: {
    fields: { name: 'string', namespace: 'string', labels: textMap, annotations: textMap },
  },
}

interface Plugin<T> {
  readonly shape: { readonly [name: string]: Shape }
  make(config: Config, host: PluginHost): T
}

function affix(where: 'prefix' | 'suffix'): Plugin<Transformer> {
  return {
    shape: { [where]: 'string', ...specs },
    make: (config) => {
      if (config['fieldSpecs'] === undefined) fail('fieldSpecs is not expected to be nil')
      const text = (config[where] as string | undefined) ?? ''
      return (objects) => addAffix(objects, where, text, specsOf(config))
    },
  }
}

/** Source: kustomize v5.8.1 api/internal/plugins/builtinhelpers */
const transformers: { readonly [kind: string]: Plugin<Transformer> } = {
  AnnotationsTransformer: {
    shape: { annotations: textMap, ...specs },
    make: (config) => (objects) =>
      setTexts(
        objects,
        (config['annotations'] ?? {}) as { [key: string]: string },
        specsOf(config),
      ),
  },
  LabelTransformer: {
    shape: { labels: textMap, ...specs },
    make: (config) => (objects) =>
      setTexts(objects, (config['labels'] ?? {}) as { [key: string]: string }, specsOf(config)),
  },
  HashTransformer: { shape: {}, make: () => addHashes },
  ImageTagTransformer: {
    shape: { imageTag: imageShape, ...specs },
    make: (config) => (objects) =>
      setImages(objects, (config['imageTag'] ?? {}) as ImageArgs, specsOf(config)),
  },
  NamespaceTransformer: {
    shape: { ...metadata, ...specs, unsetOnly: 'bool', setRoleBindingSubjects: 'string' },
    make: (config) => {
      const subjects = (config['setRoleBindingSubjects'] as string | undefined) || 'defaultOnly'
      if (!['defaultOnly', 'allServiceAccounts', 'none'].includes(subjects)) {
        fail(
          `invalid value "${subjects}" for setRoleBindingSubjects: must be one of "defaultOnly", "none" or "allServiceAccounts"`,
        )
      }
      const namespace = (config['metadata'] as Config | undefined)?.['namespace'] ?? ''
      return (objects) =>
        setNamespaces(objects, namespace as string, specsOf(config), {
          unsetOnly: config['unsetOnly'] === true,
          subjects: subjects as SubjectMode,
        })
    },
  },
  PrefixSuffixTransformer: {
    shape: { prefix: 'string', suffix: 'string', ...specs },
    make: (config, host) => {
      const steps = [affix('prefix'), affix('suffix')].map((plugin) => plugin.make(config, host))
      return (objects) => {
        for (const step of steps) step(objects)
      }
    },
  },
  PrefixTransformer: affix('prefix'),
  SuffixTransformer: affix('suffix'),
  PatchJson6902Transformer: {
    shape: { target: selectorShape, path: 'string', jsonOp: 'string' },
    make: (config, host) => {
      const { target, path, jsonOp } = config as { readonly [name: string]: Json | undefined }
      const args = { target, path, patch: jsonOp } as PatchArgs
      return json6902Transformer(args, host.loader)
    },
  },
  PatchStrategicMergeTransformer: {
    shape: { paths: { list: 'string' }, patches: 'string' },
    make: (config, host) =>
      strategicMergeTransformer(
        (config['paths'] ?? []) as readonly string[],
        (config['patches'] as string | undefined) ?? '',
        host.loader,
        host.schemas(),
      ),
  },
  PatchTransformer: {
    shape: (patchShape as { readonly fields: { readonly [name: string]: Shape } }).fields,
    make: (config, host) => patchTransformer(config as PatchArgs, host.loader, host.schemas()),
  },
  ReplacementTransformer: {
    shape: { replacements: { list: replacementShape } },
    make: (config, host) =>
      replacementTransformer(
        (config['replacements'] ?? []) as readonly ReplacementArgs[],
        host.loader,
      ),
  },
  ReplicaCountTransformer: {
    shape: { replica: replicaShape, ...specs },
    make: (config) => (objects) => {
      const replica = (config['replica'] ?? {}) as { name?: string; count?: number }
      setReplicas(objects, replica.name ?? '', replica.count ?? 0, specsOf(config))
    },
  },
  ValueAddTransformer: {
    shape: { value: 'string', targets: { list: valueTargetShape }, targetFilePath: 'string' },
    make: (config, host) => valueAdd(config, host.loader),
  },
}

function dataGenerator(kind: 'ConfigMap' | 'Secret', shape: Shape): Plugin<Generator> {
  const { fields } = shape as { readonly fields: { readonly [name: string]: Shape } }
  return {
    shape: { ...fields, ...metadata },
    make: (config, host) => {
      const { metadata: meta, ...rest } = config as {
        metadata?: Config
        [name: string]: Json | undefined
      }
      const args = {
        ...rest,
        name: rest['name'] || meta?.['name'],
        namespace: rest['namespace'] || meta?.['namespace'],
      } as GeneratorArgs
      return () => [generate(kind, args, host.loader, host.file, (bytes) => host.spend(bytes))]
    },
  }
}

const generators: { readonly [kind: string]: Plugin<Generator> } = {
  ConfigMapGenerator: dataGenerator('ConfigMap', configMapShape),
  SecretGenerator: dataGenerator('Secret', secretShape),
  IAMPolicyGenerator: {
    shape: {
      cloud: 'string',
      kubernetesService: { fields: { name: 'string', namespace: 'string' } },
      serviceAccount: { fields: { name: 'string', projectId: 'string' } },
    },
    make: (config, host) => () => [iamPolicy(config, host.file)],
  },
  HelmChartInflationGenerator: {
    shape: {},
    make: (config, host) => host.inflate(config),
  },
}

function iamPolicy(config: Config, file: string): Resource {
  const cloud = (config['cloud'] as string | undefined) ?? ''
  if (cloud !== 'gke') fail(`cloud provider ${cloud} not supported yet`)
  const account = (config['serviceAccount'] ?? {}) as Config
  const service = (config['kubernetesService'] ?? {}) as Config
  const put = (map: YamlNode, name: string, value: YamlNode): void => {
    map.content.push(scalar(name), value)
  }
  const annotations = emptyMap()
  const email = `${account['name'] ?? ''}@${account['projectId'] ?? ''}.iam.gserviceaccount.com`
  put(annotations, 'iam.gke.io/gcp-service-account', textNode(email))
  const meta = emptyMap()
  put(meta, 'annotations', annotations)
  put(meta, 'name', scalar(String(service['name'] ?? '')))
  if (service['namespace']) put(meta, 'namespace', scalar(String(service['namespace'])))
  const root = emptyMap()
  put(root, 'apiVersion', scalar('v1', '!!str'))
  put(root, 'kind', scalar('ServiceAccount', '!!str'))
  put(root, 'metadata', meta)
  const resource = new Resource(root)
  resource.file = file
  return resource
}

function configure<T>(
  table: { readonly [kind: string]: Plugin<T> },
  others: { readonly [kind: string]: unknown },
  what: string,
  resource: Resource,
  host: PluginHost,
): T {
  const { gvk } = resource
  if (gvk.group !== '' || gvk.version !== 'builtin') {
    throw new RenderError(
      'RENDER_UNSUPPORTED',
      `external plugins disabled; unable to load external plugin '${resource.originalId.kind}'`,
      { hint: 'Exec, container and Go plugins do not run inside litecd.' },
    )
  }
  const plugin = Object.hasOwn(table, gvk.kind) ? table[gvk.kind] : undefined
  const id = idText(resource.originalId)
  if (plugin === undefined) {
    if (Object.hasOwn(others, gvk.kind)) fail(`plugin ${id} not a ${what}`)
    return fail(`unable to load builtin ${gvkText(gvk)}`)
  }
  return within(`plugin ${id} fails configuration`, () => {
    const value = resource.toJson()
    const isHelm = gvk.kind === 'HelmChartInflationGenerator'
    const config = isHelm
      ? value
      : readShape(value, { fields: plugin.shape }, { struct: gvk.kind, strict: false })
    return plugin.make(isObject(config) ? config : {}, host)
  })
}

/** A generator, by the object that configures it. */
export function configureGenerator(resource: Resource, host: PluginHost): Generator {
  return within('failed to load generator', () =>
    configure(generators, transformers, 'generator', resource, host),
  )
}

/** A transformer or validator, by the object that configures it. */
export function configureTransformer(resource: Resource, host: PluginHost): Transformer {
  return configure(transformers, generators, 'transformer', resource, host)
}
