import type { Application, Settings } from '../argo/index.ts'
import type { Manifest } from '../kube/index.ts'
import {
  applyIgnoreRules,
  compileIgnoreRules,
  compileJqDeletion,
  compileKnownTypes,
  type JqCompiler,
  normalizeKnownTypes,
} from '../normalize/index.ts'
import { keepIgnored } from '../sync/index.ts'

/**
 * What `RespectIgnoreDifferences=true` does to the targets of an Application: ignored fields keep their live values.
 * The rules are compiled when the first target is asked for; that throws CompareError as the comparison does.
 */
export function ignoredKeeper(
  app: Application,
  settings: Settings,
  compileJq: JqCompiler = compileJqDeletion,
): (target: Manifest, live: Manifest) => Manifest {
  let normalize: ((manifest: Manifest) => Manifest | undefined) | undefined
  return (target, live) => {
    normalize ??= normalizer(app, settings, compileJq)
    return keepIgnored(
      { manifest: target, normalized: normalize(target) },
      { manifest: live, normalized: normalize(live) },
    )
  }
}

function normalizer(
  app: Application,
  settings: Settings,
  compileJq: JqCompiler,
): (manifest: Manifest) => Manifest | undefined {
  const ignore = app.spec.ignoreDifferences ?? []
  const rules = compileIgnoreRules(ignore, settings.overrides, compileJq)
  const knownTypes = compileKnownTypes(settings.overrides)
  return (manifest) => {
    const rest = applyIgnoreRules(manifest, rules).manifest
    return rest && normalizeKnownTypes(rest, knownTypes)
  }
}
