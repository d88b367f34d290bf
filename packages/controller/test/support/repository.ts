import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** A git repository that a controller reaches by its file:// URL. */
export class Repository {
  readonly folder: string = mkdtempSync(join(tmpdir(), 'litecd-repository-'))

  constructor() {
    this.git('init', '--quiet', '--initial-branch=main')
  }

  get url(): string {
    return `file://${this.folder}`
  }

  /** Writes files, deletes those that are null, and returns the SHA of the commit. */
  commit(files: { readonly [path: string]: string | null }): string {
    for (const [path, content] of Object.entries(files)) {
      const file = join(this.folder, path)
      mkdirSync(dirname(file), { recursive: true })
      if (content === null) rmSync(file)
      else writeFileSync(file, content)
    }
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com']
    this.git('add', '--all')
    this.git(...who, 'commit', '--quiet', '--message=change')
    return this.git('rev-parse', 'HEAD').trim()
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  private git(...args: readonly string[]): string {
    return execFileSync('git', args, { cwd: this.folder, encoding: 'utf8' })
  }
}
