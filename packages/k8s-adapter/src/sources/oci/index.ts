// sources/oci: registries and the images in them.
// In: a repository, a reference. Out: digests, tags, the files of an image. Never: pushing.
export {
  type ContentLayer,
  chartLayer,
  contentLayer,
  defaultLayerTypes,
  helmLayerType,
  type Manifest,
  resolveImage,
  unpackLayer,
} from './image.ts'
export {
  type Descriptor,
  digestOf,
  isDigest,
  parseRepository,
  Registry,
  type RegistryCall,
  type RegistryOptions,
} from './registry.ts'
