/** Every stable error code, one line of meaning each. Users and scripts may rely on them; they are never renamed. */
export const errorCodes = {
  // specs
  APP_INVALID: 'an Application does not have the shape that its schema asks for',
  APP_UNKNOWN_FIELD: 'an Application has a field that Argo CD v3.5 does not know',
  APP_DUPLICATE: 'two Applications have the same namespace and name',
  APP_CYCLE: 'Applications render each other in a circle',
  PROJECT_INVALID: 'an AppProject does not have the shape that its schema asks for',
  APPSET_INVALID: 'an ApplicationSet does not have the shape that its schema asks for',
  APPSET_FAILED: 'a generator or a template of an ApplicationSet failed',
  APPSET_PROJECT_CHOSEN: 'what a generator finds chooses the project of the Applications',
  APPSET_EMPTY: 'an ApplicationSet made Applications and makes none any more',
  SPEC_INVALID: 'a source, destination or sync policy contradicts itself',
  SETTINGS_INVALID: 'a setting in argocd-cm or argocd-cmd-params-cm cannot be read',
  // sources
  SOURCE_NOT_FOUND: 'the path, chart or repository is not there',
  SOURCE_UNREACHABLE: 'the repository did not answer; trying again may help',
  SOURCE_REFUSED: 'the repository refused the credentials, or a rule forbids the fetch',
  SOURCE_REVISION_UNKNOWN: 'the revision does not exist in the repository',
  SOURCE_UNSAFE: 'a path or a symbolic link leaves the repository',
  SOURCE_CORRUPT: 'an archive, a git object or an index cannot be read',
  // rendering
  YAML_INVALID: 'a YAML document cannot be read',
  JSON_INVALID: 'a JSON document cannot be read',
  MANIFEST_INVALID:
    'a document is not a Kubernetes object (kind, apiVersion or metadata is missing or of a wrong type)',
  MANIFEST_DUPLICATE: 'two manifests of one Application have the same key',
  RENDER_FAILED: 'a source could not be rendered',
  RENDER_UNSUPPORTED: 'the source needs something that this version of litecd does not do yet',
  HELM_FAILED: 'a chart could not be rendered',
  HELM_VALUES: 'values cannot be read, merged or do not fit the schema of the chart',
  TEMPLATE_PARSE: 'a Go template cannot be parsed',
  TEMPLATE_EXEC: 'a Go template failed while it ran',
  KUSTOMIZE_FAILED: 'a kustomization could not be built',
  JSONNET_STATIC: 'a Jsonnet program cannot be parsed',
  JSONNET_RUNTIME: 'a Jsonnet program failed while it ran',
  BUDGET_EXCEEDED: 'untrusted input used up its budget of steps, depth, bytes or time',
  // comparison
  DIFF_FAILED: 'a pair of objects could not be compared',
  JQ_INVALID: 'a jq expression cannot be parsed or failed',
  POINTER_INVALID: 'a JSON pointer cannot be read',
  LUA_FAILED: 'a Lua script failed',
  PATCH_FAILED: 'a patch does not fit the object',
  REGEXP_INVALID: 'a regular expression cannot be parsed',
  // permissions
  PROJECT_FORBIDS: 'the AppProject does not allow it',
  // cluster
  CLUSTER_UNREACHABLE: 'the API server did not answer',
  CLUSTER_CONFIG: 'a kubeconfig, a credential plugin or a cluster Secret cannot be used as it is',
  CLUSTER_REFUSED: 'the API server said no',
  CLUSTER_CONFLICT: 'somebody else changed the object meanwhile, or owns the field',
  CLUSTER_NOT_FOUND: 'the API server does not have the object or the kind',
  // the command line
  USAGE: 'the command was called in a way it does not understand',
  WORKSPACE_INVALID: 'the folder is no git repository, or a revision in it cannot be read',
  RECORDING_INVALID: 'a file is no recording of a sync, or one of a later version',
  // ours
  INTERNAL: 'a broken invariant of litecd itself; please report it',
} as const

export type ErrorCode = keyof typeof errorCodes
