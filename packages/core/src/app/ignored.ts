import type { JqEngine } from '../adapters/index.ts'
import type { Application, Settings } from '../argo/index.ts'
import { compileDiffRules, type DiffRules, withoutIgnored } from '../diff/index.ts'
import type { Manifest } from '../kube/index.ts'
import { keepIgnored } from '../sync/index.ts'
import { jqOf } from './diffs.ts'

/**
 * What `RespectIgnoreDifferences=true` does to the targets of an Application: ignored fields keep their live values, those
 * of trusted managers among them. The rules are compiled when the first target is asked for; that throws CompareError as
 * the comparison does.
 */
export function ignoredKeeper(
  app: Application,
  settings: Settings,
  jq?: JqEngine,
): (target: Manifest, live: Manifest) => Manifest {
  let rules: DiffRules | undefined
  return (target, live) => {
    rules ??= compileDiffRules(app, settings, jqOf(jq))
    const rest = withoutIgnored(target, live, rules)
    return keepIgnored(
      { manifest: target, normalized: rest.target },
      { manifest: live, normalized: rest.live },
    )
  }
}
