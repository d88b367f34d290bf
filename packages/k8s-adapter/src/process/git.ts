import { findProgram } from './find.ts'
import { type RunOptions, type RunResult, runProgram, runProgramSync } from './run.ts'

/** The git program of this machine. */
export interface GitProgram {
  readonly path: string
  /** Such as `[2, 39, 5]`. */
  readonly version: readonly number[]
  run(args: readonly string[], options?: GitRunOptions): Promise<RunResult>
  runSync(args: readonly string[], options?: Omit<GitRunOptions, 'signal'>): RunResult
}

export interface GitRunOptions extends Omit<RunOptions, 'env'> {
  /** Configuration for this run, passed in the environment, never on the command line: it may hold secrets. */
  readonly config?: readonly (readonly [key: string, value: string])[]
  /** Further environment, such as `GIT_SSH_COMMAND`. */
  readonly env?: NodeJS.ProcessEnv
  /**
   * True where the user's own configuration, credential helpers and keys may be used (a developer's machine);
   * otherwise git sees neither the system's nor the user's configuration, as in Argo CD.
   */
  readonly userConfig?: boolean
}

let found: { readonly program: GitProgram | undefined } | undefined

/** The git program on PATH, looked for once; undefined when there is none or it does not run. */
export function gitProgram(): GitProgram | undefined {
  found ??= { program: openGitProgram(findProgram('git')) }
  return found.program
}

/** The git program at a path. */
export function openGitProgram(path: string | undefined): GitProgram | undefined {
  if (path === undefined) return undefined
  const options = { env: gitEnvironment({}), timeoutMs: 10_000 }
  let text = ''
  try {
    text = runProgramSync(path, ['--version'], options).stdout.toString()
  } catch {
    return undefined // not executable after all
  }
  const version = /(\d+(?:\.\d+)+)/.exec(text)?.[1]?.split('.').map(Number)
  if (version === undefined) return undefined
  return {
    path,
    version,
    run: (args, run = {}) => runProgram(path, args, { ...run, env: gitEnvironment(run) }),
    runSync: (args, run = {}) => runProgramSync(path, args, { ...run, env: gitEnvironment(run) }),
  }
}

export function isAtLeast(git: GitProgram, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = git.version
  return ownMajor > major || (ownMajor === major && ownMinor >= minor)
}

const kept =
  /^(PATH|TMPDIR|TEMP|TMP|SystemRoot|LANG|https?_proxy|no_proxy|all_proxy|SSL_CERT_(FILE|DIR)|SSH_AUTH_SOCK)$/i
const keptForUsers =
  /^(HOME|USER|LOGNAME|USERPROFILE|APPDATA|XDG_.*|GIT_SSH(_COMMAND|_VARIANT)?|GIT_SSL_.*|GIT_CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)|GIT_PROXY_COMMAND|DISPLAY|GPG_TTY)$/i

/** Nothing that names another repository, asks a person, follows odd protocols or speaks another language than English. */
function gitEnvironment(options: GitRunOptions): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {}
  for (const [name, value] of Object.entries(process.env)) {
    if (kept.test(name) || (options.userConfig === true && keptForUsers.test(name)))
      env[name] = value
  }
  if (options.userConfig !== true) {
    env['HOME'] = '/dev/null'
    env['GIT_CONFIG_NOSYSTEM'] = '1'
    env['GIT_CONFIG_GLOBAL'] = '/dev/null'
  }
  const config = [
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ['core.hooksPath', '/dev/null'],
    ['core.fsmonitor', 'false'],
    ['advice.detachedHead', 'false'],
    ...(options.config ?? []),
  ]
  config.forEach(([key, value], index) => {
    env[`GIT_CONFIG_KEY_${index}`] = key
    env[`GIT_CONFIG_VALUE_${index}`] = value
  })
  return {
    ...env,
    GIT_CONFIG_COUNT: String(config.length),
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS: '',
    GCM_INTERACTIVE: 'never',
    GIT_ALLOW_PROTOCOL: 'file:http:https:ssh',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    LC_ALL: 'C',
    ...options.env,
  }
}
