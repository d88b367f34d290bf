import type { JsonObject } from '@litecd/core/json'
import { expand, type Names, type Step } from '../../packages/core/test/corpus/argocd-cases.ts'
import { type Api, ownManager } from './api.ts'
import type { GitRepo } from './git-repo.ts'
import type { SettingsKeeper } from './settings.ts'
import { argoNamespace, argoVersion } from './store.ts'

export interface Stage {
  readonly api: Api
  readonly repo: GitRepo
  readonly settings: SettingsKeeper
  /** With the commits that are there now. */
  names(): Names
}

function application(name: string): JsonObject {
  return {
    apiVersion: argoVersion,
    kind: 'Application',
    metadata: { name, namespace: argoNamespace },
  }
}

function withoutManager(object: JsonObject): { manager?: string; body: JsonObject } {
  const { manager, ...body } = object
  return typeof manager === 'string' ? { manager, body } : { body }
}

/** Server-side apply as manager `kubectl`, or as the one that the object names beside its fields. */
export async function applyObjects(api: Api, objects: readonly JsonObject[]): Promise<void> {
  for (const object of objects) {
    const { manager, body } = withoutManager(object)
    await api.apply(body, manager ?? 'kubectl')
  }
}

/** Does one verb of a beat. Rejects when the API server refuses it. */
export async function play(step: Step, stage: Stage): Promise<void> {
  const { api, repo, settings } = stage
  if (step.verb === 'commit') return repo.commit(expand(step.commit, stage.names()))
  const now = expand(step, stage.names())
  switch (now.verb) {
    case 'apply':
      return applyObjects(api, now.objects)
    case 'create':
      for (const object of now.objects) {
        const { manager, body } = withoutManager(object)
        await api.create(body, manager ?? ownManager)
      }
      return
    case 'refresh': {
      const annotations = { 'argocd.argoproj.io/refresh': now.hard ? 'hard' : 'normal' }
      await api.mergePatch(application(now.app), { metadata: { annotations } })
      return
    }
    case 'sync': {
      // As argocd-server writes it: who asked, and no trace of the operation before.
      const operation = { ...now.operation, initiatedBy: { username: 'admin' } }
      const patch = { operation, status: { operationState: null } }
      await api.mergePatch(application(now.app), patch)
      return
    }
    case 'terminate':
      await api.mergePatch(application(now.app), {
        status: { operationState: { phase: 'Terminating' } },
      })
      return
    case 'patch':
      await api.mergePatch(now.object, now.merge, now.subresource)
      return
    case 'delete':
      return api.delete(now.object, now.policy)
    case 'settings':
      return settings.merge(now.settings)
    case 'sleep':
      await new Promise((resolve) => setTimeout(resolve, now.seconds * 1000))
      return
  }
}
