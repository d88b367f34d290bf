import {
  type ExplainedField,
  explainFields,
  explainObject,
  type ObjectExplanation,
  type PreviewSide,
  previewTargets,
  type RenderedTarget,
} from '@litecd/core/app'
import { compileDiffRules, formatPath, formatSource, parsePath } from '@litecd/core/diff'
import { SpecError } from '@litecd/core/errors'
import { formatJson, type Json } from '@litecd/core/json'
import { formatKey, keyOf, nameOf } from '@litecd/core/kube'
import { type CommandSpec, helpText, type ParsedFlags, parseFlags } from '../flags.ts'
import { exitCodes, type Io } from '../io.ts'
import { type LiveObjects, readLiveObjects } from '../offline/live-objects.ts'
import { palette, wantsColor } from '../print/color.ts'
import { printError } from '../print/error.ts'
import { type Explained, printExplanation } from '../print/explanation.ts'
import { collectApplications } from '../workspace/compare.ts'
import type { AppOrigin, CompareOptions } from '../workspace/report.ts'
import {
  colorFlag,
  dirFlag,
  liveClusterFlags,
  openFromFlags,
  outputFlag,
  workspaceFlags,
} from './common.ts'

const { app: _app, ...flagsWithoutApp } = workspaceFlags

const spec: CommandSpec = {
  name: 'explain',
  usage: 'litecd explain APP [KIND/NAME[:PATH]] [-C DIR]',
  about:
    'Tells where the objects of an Application come from, and what made each of their fields: the file and line, the\n' +
    'template and the values it read, the patch. With live objects also what differs from them and why, who owns the\n' +
    'live value, and which differences do not count and by which rule. Values of Secrets are never printed.\n\n' +
    '  litecd explain guestbook\n' +
    '  litecd explain guestbook Deployment/web\n' +
    "  litecd explain guestbook 'Deployment/web:spec.template.spec.containers[name=web].image'",
  maxArguments: 2,
  flags: {
    dir: dirFlag,
    revision: {
      type: 'string',
      value: 'REF',
      help: 'explain this revision (default: the working tree)',
    },
    'live-objects': {
      type: 'string',
      value: 'FILE|DIR',
      help: 'objects of the cluster, as `kubectl get KINDS -A -o yaml --show-managed-fields` prints them',
    },
    live: {
      type: 'boolean',
      help: 'compare with the cluster of a kubeconfig, which is only read',
    },
    ...liveClusterFlags,
    output: outputFlag('text or json', ['text', 'json']),
    color: colorFlag,
    ...flagsWithoutApp,
  },
  after:
    'Exit codes: 0 explained, 2 the command line or the repository is wrong or there is no such Application, object or\n' +
    'field, 3 the Application cannot be rendered or compared.',
}

export async function explainCommand(argv: readonly string[], io: Io): Promise<number> {
  const flags = parseFlags(spec, argv)
  if (flags.help) {
    io.stdout(helpText(spec))
    return exitCodes.same
  }
  const [wanted, selector] = flags.positionals
  if (wanted === undefined) {
    throw new SpecError('USAGE', 'litecd explain: which Application?', {
      hint: 'litecd explain --help tells the flags.',
    })
  }
  const revision = flags.text('revision')
  const { workspace, options } = openFromFlags(
    flags,
    io,
    { base: revision ?? 'HEAD', head: revision },
    flags.text('dir') ?? '.',
  )
  const live = await liveObjects(flags, io)
  const { apps, ids } = await collectApplications(workspace, {
    ...options,
    app: wanted,
    traceFields: true,
  })
  const found = apps.filter(({ id, side }) => id === wanted || side.app.metadata.name === wanted)
  const [app] = found
  if (app === undefined) {
    throw new SpecError('USAGE', `there is no Application ${wanted} here`, {
      hint: `Known: ${ids.join(', ') || 'none'}.`,
    })
  }
  if (found.length > 1) {
    throw new SpecError('USAGE', `several Applications are named ${wanted}`, {
      hint: `Give the namespace too: ${found.map(({ id }) => id).join(', ')}.`,
    })
  }
  const result = previewTargets(app.side, options)
  if ('failure' in result) {
    io.stderr(printError(result.failure.error))
    return exitCodes.failed
  }
  const explained = explainAll(app, result.targets, selector, live, options)
  io.stdout(
    flags.text('output') === 'json'
      ? jsonOf(explained)
      : printExplanation(explained, palette(wantsColor(flags.text('color'), io))),
  )
  return exitCodes.same
}

async function liveObjects(flags: ParsedFlags, io: Io): Promise<LiveObjects | undefined> {
  const path = flags.text('live-objects')
  if (!flags.flag('live')) return path === undefined ? undefined : readLiveObjects(path, io.cwd)
  if (path !== undefined) {
    throw new SpecError('USAGE', 'litecd explain: --live and --live-objects exclude each other')
  }
  // an API client is needed by nothing else here
  const { viewCluster } = await import('../live/cluster-view.ts')
  const view = await viewCluster(flags.text('kubeconfig'), flags.text('context'), io)
  view.close()
  return new Map(view.objects.map((object) => [formatKey(keyOf(object)), object]))
}

function explainAll(
  app: { readonly id: string; readonly side: PreviewSide; readonly origin: AppOrigin },
  targets: readonly RenderedTarget[],
  selector: string | undefined,
  live: LiveObjects | undefined,
  options: CompareOptions,
): Explained {
  const { settings } = options
  const rules = compileDiffRules(app.side.app, settings)
  const { chosen, path } = select(targets, selector)
  return {
    application: app.id,
    origin: app.origin,
    objects: chosen.map((target) => {
      const object = live?.get(formatKey(target.key))
      const known = live === undefined ? undefined : object === undefined ? {} : { object }
      const explanation: ObjectExplanation = explainObject(target, known, rules, settings)
      if (path === undefined) return { explanation }
      const fields: readonly ExplainedField[] = explainFields(target, parsePath(path), settings)
      if (fields.length === 0) {
        throw new SpecError('USAGE', `${target.key.kind}/${target.key.name} has no field ${path}`, {
          hint: 'litecd render prints the whole object.',
        })
      }
      return { explanation, fields }
    }),
  }
}

/** `KIND`, `KIND/NAME` or `KIND/NAMESPACE/NAME`, the last two with `:PATH` behind them. Names may hold colons. */
function select(
  targets: readonly RenderedTarget[],
  selector: string | undefined,
): { readonly chosen: readonly RenderedTarget[]; readonly path?: string } {
  if (selector === undefined) return { chosen: targets }
  const ofKind = targets.filter(({ key }) => key.kind.toLowerCase() === selector.toLowerCase())
  if (ofKind.length > 0) return { chosen: ofKind, path: '' }
  let longest = -1
  let chosen: RenderedTarget[] = []
  for (const target of targets) {
    const matched = matchLength(target, selector)
    if (matched > longest) chosen = []
    if (matched >= 0 && matched >= longest) {
      chosen.push(target)
      longest = matched
    }
  }
  if (chosen.length > 0) return { chosen, path: selector.slice(longest + 1) }
  const known = targets.map(({ key }) => `${key.kind}/${key.name}`)
  const more = known.length - shownObjects
  throw new SpecError('USAGE', `the Application renders no ${selector}`, {
    hint: `It renders ${known.slice(0, shownObjects).join(', ') || 'nothing'}${more > 0 ? ` and ${more} more` : ''}.`,
  })
}

/** How much of a selector names the object; -1 when it names another. */
function matchLength({ key, manifest }: RenderedTarget, selector: string): number {
  const name = nameOf(manifest)
  const wanted = selector.toLowerCase()
  const lengths = [`${key.kind}/${name}`, `${key.kind}/${key.namespace}/${name}`]
    .map((text) => text.toLowerCase())
    .filter((text) => wanted === text || wanted.startsWith(`${text}:`))
    .map((text) => text.length)
  return Math.max(-1, ...lengths)
}

const shownObjects = 20

function jsonOf({ application, origin, objects }: Explained): string {
  const value = {
    schema: 1,
    application,
    origin,
    objects: objects.map(({ explanation, fields }) => ({
      ...explanation,
      ...(explanation.live === undefined ? {} : { live: liveOf(explanation.live) }),
      ...(fields === undefined
        ? {}
        : { fields: fields.map((field) => ({ ...field, path: formatPath(field.path) })) }),
    })),
  }
  return `${formatJson(JSON.parse(JSON.stringify(value)) as Json, { escapeHtml: false, indent: '  ', sortKeys: false })}\n`
}

function liveOf(live: NonNullable<ObjectExplanation['live']>): object {
  return {
    ...live,
    differences: live.differences.map((one) => ({ ...one, path: formatPath(one.path) })),
    ignored: live.ignored.map(({ because, paths }) => ({
      paths,
      because:
        because.type === 'rule'
          ? { rule: formatSource(because.rule.source), text: because.rule.text }
          : { manager: because.manager },
    })),
  }
}
