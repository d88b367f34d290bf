// The storeys of packages/core, ground floor first: a room imports only from lower storeys, never from its own.
const storeys = [
  ['json', 'text'],
  ['errors'],
  ['kube', 'yaml', 'files'],
  ['argo', 'lang'],
  ['adapters'],
  ['render', 'normalize', 'health', 'project', 'guard'],
  ['diff', 'sync', 'appset'],
  ['app'],
]
const core = (room) => `^packages/core/src/${room}/`
const error = (name, from, to) => ({ name, severity: 'error', from, to })
const test = '\\.test\\.ts$'

const storeyRules = storeys
  .flatMap((rooms, level) =>
    rooms.map((room) =>
      error(
        `core/${room} looks down only`,
        { path: core(room), pathNot: test },
        {
          path: storeys
            .slice(level)
            .flat()
            .filter((other) => other !== room)
            .map(core),
        },
      ),
    ),
  )
  .filter((rule) => rule.to.path.length > 0)

export default {
  forbidden: [
    ...storeyRules,
    error(
      'a room is entered by its index.ts',
      { path: '^packages/core/src/([^/]+)/', pathNot: test },
      { path: '^packages/core/src/[^/]+/', pathNot: ['^packages/core/src/$1/', '/index\\.ts$'] },
    ),
    error(
      'languages are strangers',
      { path: '^packages/core/src/lang/([^/]+)/', pathNot: test },
      { path: '^packages/core/src/lang/', pathNot: '^packages/core/src/lang/$1/' },
    ),
    error(
      'core does no I/O',
      { path: '^packages/core/src/', pathNot: test },
      { dependencyTypes: ['core'] },
    ),
    error(
      'core packages are listed',
      { path: '^packages/core/src/', pathNot: test },
      {
        path: 'node_modules/',
        pathNot: 'node_modules/(re2js|bcryptjs)/',
      },
    ),
    error(
      'core stands alone',
      { path: '^packages/core/' },
      { path: '^packages/(k8s-adapter|cli|controller)/' },
    ),
    error(
      'adapters know no host',
      { path: '^packages/k8s-adapter/' },
      { path: '^packages/(cli|controller)/' },
    ),
    error(
      'sources and processes know no API client',
      { path: '^packages/k8s-adapter/src/(sources|process)/' },
      { path: '^packages/k8s-adapter/src/(client|cluster|cache|argocd|events)/' },
    ),
    error(
      'the controller knows no command line',
      { path: '^packages/controller/' },
      { path: '^packages/cli/' },
    ),
    error('no cycles', {}, { circular: true }),
    error('everything imported exists', {}, { couldNotResolve: true }),
  ],
  options: {
    tsPreCompilationDeps: true,
    // TypeScript 7 has no compiler API, so the sources are read by swc
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: {
      conditionNames: ['litecd-source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
}
