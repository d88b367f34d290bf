/**
 * What `kustomize edit` prints behind an error: the usage of the command, which Argo CD shows with it.
 *
 * Source: kustomize v5.8.1 kustomize/commands/edit
 */
export const editUsage: { readonly [command: string]: string } = {
  'set nameprefix': `Usage:
  kustomize edit set nameprefix [flags]

Examples:

The command
  set nameprefix acme-
will add the field "namePrefix: acme-" to the kustomization file if it doesn't exist,
and overwrite the value with "acme-" if the field does exist.


Flags:
  -h, --help   help for nameprefix

Global Flags:
      --stack-trace   print a stack-trace on error`,
  'set namesuffix': `Usage:
  kustomize edit set namesuffix [flags]

Examples:

The command
  set namesuffix -- -acme
will add the field "nameSuffix: -acme" to the kustomization file if it doesn't exist,
and overwrite the value with "-acme" if the field does exist.


Flags:
  -h, --help   help for namesuffix

Global Flags:
      --stack-trace   print a stack-trace on error`,
  'set image': `Usage:
  kustomize edit set image [flags]

Examples:

The command
  set image postgres=eu.gcr.io/my-project/postgres:latest my-app=my-registry/my-app@sha256:24a0c4b4a4c0eb97a1aabb8e29f18e917d05abfe1b7a7c07857230879ce7d3d3
will add

images:
- name: postgres
  newName: eu.gcr.io/my-project/postgres
  newTag: latest
- digest: sha256:24a0c4b4a4c0eb97a1aabb8e29f18e917d05abfe1b7a7c07857230879ce7d3d3
  name: my-app
  newName: my-registry/my-app

to the kustomization file if it doesn't exist,
and overwrite the previous ones if the image name exists.

The command
  set image node:8.15.0 mysql=mariadb alpine@sha256:24a0c4b4a4c0eb97a1aabb8e29f18e917d05abfe1b7a7c07857230879ce7d3d3
will add

images:
- name: node
  newTag: 8.15.0
- name: mysql
  newName: mariadb
- digest: sha256:24a0c4b4a4c0eb97a1aabb8e29f18e917d05abfe1b7a7c07857230879ce7d3d3
  name: alpine

to the kustomization file if it doesn't exist,
and overwrite the previous ones if the image name exists.

The image tag can only contain alphanumeric, '.', '_' and '-'. Passing * (asterisk) either as the new name,
the new tag, or the digest will preserve the appropriate values from the kustomization file.


Flags:
  -h, --help   help for image

Global Flags:
      --stack-trace   print a stack-trace on error`,
  'set replicas': `Usage:
  kustomize edit set replicas [flags]

Examples:

The command
  set replicas my-app=3 other-app=1
will add

replicas:
- name: my-app
  count: 3
- name: other-app
  count: 1

to the kustomization file if it doesn't exist,
and overwrite the previous ones if the replicas name exists.


Flags:
  -h, --help   help for replicas

Global Flags:
      --stack-trace   print a stack-trace on error`,
  'add label': `Usage:
  kustomize edit add label [flags]

Examples:

\t\tadd label {labelKey1:labelValue1} {labelKey2:labelValue2}

Flags:
  -f, --force               overwrite commonLabel if it already exists
  -h, --help                help for label
      --include-templates   include labels in templates (requires --without-selector)
      --without-selector    using add labels without selector option

Global Flags:
      --stack-trace   print a stack-trace on error`,
  'add annotation': `Usage:
  kustomize edit add annotation [flags]

Examples:

\t\tadd annotation {annotationKey1:annotationValue1} {annotationKey2:annotationValue2}

Flags:
  -f, --force   overwrite commonAnnotation if it already exists
  -h, --help    help for annotation

Global Flags:
      --stack-trace   print a stack-trace on error`,
  'set namespace': `Usage:
  kustomize edit set namespace [flags]

Examples:

The command
\tset namespace staging
will add the field "namespace: staging" to the kustomization file if it doesn't exist,
and overwrite the value with "staging" if the field does exist.


Flags:
  -h, --help   help for namespace

Global Flags:
      --stack-trace   print a stack-trace on error`,
  'add component': `Usage:
  kustomize edit add component [flags]

Examples:

\t\tadd component {filepath}

Flags:
  -h, --help   help for component

Global Flags:
      --stack-trace   print a stack-trace on error`,
}
