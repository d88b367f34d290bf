import type { JsonObject } from '@litecd/core/json'

function crd(kind: string, plural: string, statusSubresource: boolean): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.argoproj.io` },
    spec: {
      group: 'argoproj.io',
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [
        {
          name: 'v1alpha1',
          served: true,
          storage: true,
          ...(statusSubresource ? { subresources: { status: {} } } : {}),
          schema: {
            openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          },
        },
      ],
    },
  }
}

/**
 * The kinds of Argo CD without their schemas: a case holds nothing that the real ones refuse or prune, and lists are
 * atomic either way. As in the real ones, only an ApplicationSet has a status subresource.
 */
export const argoKinds: readonly JsonObject[] = [
  crd('Application', 'applications', false),
  crd('AppProject', 'appprojects', false),
  crd('ApplicationSet', 'applicationsets', true),
]
