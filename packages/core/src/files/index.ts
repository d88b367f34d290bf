// files: a finished checkout, as a value that rendering can read without waiting.
// In: paths. Out: bytes, entries, what was read. Never: disk, network, git.
export { crc32, gunzip, type InflateLimits, inflateRaw, isGzip } from './inflate.ts'
export { type MemoryTreeInput, memoryTree } from './memory.ts'
export { baseName, cleanPath, dirName, isInside, joinPath } from './path.ts'
export {
  changesTouching,
  mergeReadLogs,
  type PathChange,
  type ReadLog,
  type ReadLogData,
  recordReads,
} from './read-log.ts'
export { archiveTree, type TarEntry, type TarLimits, untar } from './tar.ts'
export {
  decodeText,
  type FileTree,
  readText,
  resolveLinks,
  type TreeEntry,
  walkFiles,
} from './tree.ts'
