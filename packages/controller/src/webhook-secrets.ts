import type { WebhookSecrets } from './serve/index.ts'

/** The texts of a Secret; undefined when it is not there. */
type ReadSecret = (
  namespace: string,
  name: string,
) => Promise<{ readonly data: { readonly [key: string]: string } } | undefined>

const name = 'argocd-secret'
const keptMs = 10_000

/**
 * What senders of webhooks prove themselves with, from argocd-secret: read again after a while, so that a changed secret
 * needs no restart. A value `$key` stands for another key there, `$secret:key` for one of another Secret; a reference that
 * leads nowhere stays as it is written, which nobody can sign with by chance.
 *
 * Source: argo-cd v3.5.1 util/settings/settings.go GetWebhook…Secret, ReplaceStringSecret
 */
export function webhookSecrets(
  read: ReadSecret,
  namespace: string,
  now: () => number,
): () => Promise<WebhookSecrets> {
  let kept: { readonly until: number; readonly secrets: Promise<WebhookSecrets> } | undefined
  return () => {
    if (kept === undefined || kept.until <= now()) {
      const secrets = readAll(read, namespace)
      kept = { until: now() + keptMs, secrets }
      secrets.catch(() => {
        kept = undefined
      })
    }
    return kept.secrets
  }
}

async function readAll(read: ReadSecret, namespace: string): Promise<WebhookSecrets> {
  const data = (await read(namespace, name))?.data ?? {}
  const value = async (key: string): Promise<string> => {
    const text = (data[`webhook.${key}`] ?? '').trim()
    if (!text.startsWith('$')) return text
    const reference = text.slice(1)
    const colon = reference.indexOf(':')
    const found =
      colon === -1
        ? data[reference]
        : (await read(namespace, reference.slice(0, colon)))?.data[reference.slice(colon + 1)]
    return found?.trim() ?? text
  }
  return {
    github: await value('github.secret'),
    gitlab: await value('gitlab.secret'),
    bitbucketUuid: await value('bitbucket.uuid'),
    bitbucketServer: await value('bitbucketserver.secret'),
    gogs: await value('gogs.secret'),
    azureUsername: await value('azuredevops.username'),
    azurePassword: await value('azuredevops.password'),
  }
}
