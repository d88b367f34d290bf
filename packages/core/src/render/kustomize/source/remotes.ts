import type { SourceRequest } from '../../../adapters/index.ts'
import { isLitecdError } from '../../../errors/index.ts'
import type { FileTree } from '../../../files/index.ts'
import type { RenderAnswer, RenderNeed } from '../../types.ts'
import { MissingRemote } from '../fail.ts'
import type { ChartRequest } from '../helm-host.ts'
import type { RemoteFile, Remotes, RemoteTree } from '../loader.ts'
import { parseRepo, type RepoSpec } from '../remote.ts'

/** Remote things by the answers that the host has given; what is missing becomes a need. */
export class AnsweredRemotes implements Remotes {
  readonly needs: RenderNeed[] = []
  private readonly answers: { readonly [id: string]: RenderAnswer }

  constructor(answers: { readonly [id: string]: RenderAnswer }) {
    this.answers = answers
  }

  file(url: string): RemoteFile {
    if (parseRepo(url) !== undefined && isPage(url)) return { status: 404 }
    const answer = this.ask({ type: 'http', url, revision: '' })
    if ('error' in answer) {
      const status = isLitecdError(answer.error) ? answer.error.data['status'] : undefined
      if (typeof status === 'number') return { status }
      return parseRepo(url) === undefined ? { error: answer.error } : { status: 404 }
    }
    const entry = answer.tree.list('')?.find(({ kind }) => kind === 'file')
    const bytes = entry === undefined ? undefined : answer.tree.read(entry.name)
    return bytes === undefined ? { status: 404 } : { bytes }
  }

  repo(spec: RepoSpec): RemoteTree {
    return this.ask({
      type: 'git',
      url: spec.clone,
      revision: spec.ref,
      submodules: spec.submodules,
      timeoutMs: spec.timeoutMs,
    })
  }

  chart({ repo, name, version }: ChartRequest): FileTree {
    const answer = repo.startsWith('oci://')
      ? this.ask({ type: 'oci', url: `${repo.replace(/\/$/, '')}/${name}`, revision: version })
      : this.ask({ type: 'helm', url: repo, chart: name, revision: version })
    if ('error' in answer) throw answer.error
    return answer.tree
  }

  private ask(request: SourceRequest): RenderAnswer {
    const id = JSON.stringify(request)
    const answer = Object.hasOwn(this.answers, id) ? this.answers[id] : undefined
    if (answer !== undefined) return answer
    if (!this.needs.some((need) => need.id === id)) this.needs.push({ id, request })
    throw new MissingRemote('RENDER_FAILED', `${request.url} must be fetched first`)
  }
}

/** Of GitHub only: what is no file there answers with pages in many millions of bytes, which are no objects. */
function isPage(url: string): boolean {
  return (
    /^https?:\/\/github\.com\//i.test(url) && !/\/(?:raw|releases\/download|archive)\//.test(url)
  )
}
