// Compares our table of merging lists with the schema inside kustomize.
//
//   go run main.go > FILE     in a module that requires sigs.k8s.io/kustomize/kyaml v0.21.1
//   node --conditions=litecd-source scripts/kustomize-facts/compare.ts FILE
//
// Prints every difference; exit code 1 when there is one. List types only group objects, which are taken out of them
// before anything merges: they are not compared.
import { readFileSync } from 'node:fs'
import { mergeLists } from '../../packages/core/src/render/kustomize/facts/merge-lists.ts'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('name the file that main.go printed')

let types = 0
let different = 0

function differ(text: string): void {
  different++
  console.log(text)
}

for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
  const [type = '', text = ''] = line.split(' => ')
  if (type.endsWith('List')) continue
  const theirs = new Map(
    text
      .trim()
      .split('; ')
      .filter((pair) => pair !== '')
      .map((pair) => pair.split('=') as [string, string]),
  )
  const ours = mergeLists.get(type)
  if (ours === undefined) {
    if (theirs.size > 0) differ(`${type}: not in the table`)
    continue
  }
  types++
  for (const [path, keys] of Object.entries(ours)) {
    if (theirs.get(path) !== keys)
      differ(`${type} ${path}: ${keys} here, ${theirs.get(path)} there`)
  }
  for (const [path, keys] of theirs) {
    if (ours[path] === undefined) differ(`${type} ${path}: nothing here, ${keys} there`)
  }
}
console.log(`${types} types compared, ${different} differences`)
if (different > 0) process.exitCode = 1
