import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { corpusFolder, type ParityCase } from '../../packages/core/test/corpus/argocd-cases.ts'
import type { Verdict } from './verdict.ts'

const equalList = resolve(corpusFolder, '../argocd-equal.txt')

type Results = ReadonlyMap<string, Verdict>

function readList(path: string): readonly string[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

/** True for a case of this repository; others are never held against the list. */
function ofCorpus(one: ParityCase): boolean {
  return !relative(corpusFolder, one.path).startsWith('..')
}

/** Adds the cases that are newly equal to the list. */
export function accept(verdicts: Results, cases: readonly ParityCase[]): void {
  const listed = readList(equalList)
  const fresh = cases.filter((of) => ofCorpus(of) && verdicts.get(of.name)?.outcome === 'equal')
  const all = [...new Set([...listed, ...fresh.map((of) => of.name)])].sort()
  const head = [
    '# Cases of corpus/argocd that play equal: `npm run parity` fails when one of them does not.',
    '# Written by `npm run parity -- --accept`; it only grows.',
  ]
  writeFileSync(equalList, `${[...head, ...all].join('\n')}\n`)
  console.log(`${all.length - listed.length} newly equal cases accepted`)
}

/** Cases that were equal once and are neither equal nor explained now. */
export function lost(verdicts: Results, cases: readonly ParityCase[]): readonly ParityCase[] {
  const listed = new Set(readList(equalList))
  return cases
    .filter((of) => ofCorpus(of) && listed.has(of.name))
    .filter((of) => !['equal', 'known'].includes(verdicts.get(of.name)?.outcome ?? ''))
}
