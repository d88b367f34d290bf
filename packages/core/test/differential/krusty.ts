import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const headers: { readonly [call: string]: string } = {
  WriteK: 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n',
  WriteC: 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n',
  WriteF: '',
}

/**
 * Lays out the files that kustomize's own Go tests write, one folder for each test function, and returns the folder of
 * all. Only the inputs are taken: what is expected of them the program itself says.
 */
export function unpackGoTests(folder: string): string {
  const root = mkdtempSync(join(tmpdir(), 'krusty-'))
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('_test.go')) continue
    const [, ...functions] = readFileSync(join(folder, file), 'utf8').split(/\nfunc (?=\w+\()/)
    for (const body of functions) {
      const name = /^\w+/.exec(body)![0]
      unpack(body, join(root, file.replace('_test.go', ''), name))
    }
  }
  return root
}

function unpack(body: string, folder: string): void {
  const calls = /\.(WriteK|WriteC|WriteF)\(\s*(?:filepath\.Join\()?"([^"]*)"\)?,\s*`([^`]*)`/g
  for (const [, call, path, text] of body.matchAll(calls)) {
    const name = call === 'WriteF' ? path! : join(path!, 'kustomization.yaml')
    const target = join(folder, name)
    try {
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, headers[call!]! + text!)
    } catch (error) {
      // two cases of one function may use a name once as a file and once as a folder
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOTDIR' && code !== 'EEXIST' && code !== 'EISDIR') throw error
    }
  }
}
