import { annotationLastApplied } from '../../argo/index.ts'
import { isObject, type Json, parseJson } from '../../json/index.ts'
import { annotationsOf, type Manifest } from '../../kube/index.ts'
import { bytesToText, decodeBase64, encodeBase64, quoteGo, textToBytes } from '../../text/index.ts'
import { isSecret } from '../preview-secrets.ts'

const mask = '++++++++'

/** Shorter values are words of messages as well; they go only where a message quotes them. */
const longEnough = 4
const lineLongEnough = 8

/** Fields of a Secret that hold no secret. */
const openFields = new Set(['apiVersion', 'kind', 'metadata', 'type', 'immutable'])

/** Learns the values of Secrets and takes them out of texts, in whatever form an API server may quote them. */
export class Scrubber {
  private readonly long = new Set<string>()
  private readonly short = new Set<string>()
  private pattern: RegExp | undefined

  learn(object: Manifest): void {
    if (!isSecret(object)) return
    this.learnFields(object)
    const applied = annotationsOf(object)[annotationLastApplied]
    if (applied === undefined) return
    this.add(applied)
    try {
      const value = parseJson(applied)
      if (isObject(value)) this.learnFields(value as Manifest)
    } catch {
      // what is no JSON was learnt as a whole
    }
  }

  readonly scrub = (text: string): string => {
    this.pattern ??= this.compile()
    return text.replace(this.pattern, (_match, open?: string, close?: string) =>
      typeof open === 'string' ? `${open}${mask}${close}` : mask,
    )
  }

  private learnFields(object: Manifest): void {
    for (const [field, value] of Object.entries(object)) {
      if (!openFields.has(field)) this.learnValue(value as Json, field === 'data')
    }
  }

  private learnValue(value: Json, encoded: boolean): void {
    if (Array.isArray(value)) for (const item of value) this.learnValue(item, encoded)
    else if (isObject(value)) {
      for (const item of Object.values(value)) this.learnValue(item, encoded)
    } else if (value !== null) {
      this.addForms(String(value))
      if (!encoded) return
      const bytes = decodeBase64(textToBytes(String(value)))
      if (bytes instanceof Uint8Array) this.addForms(bytesToText(bytes))
    }
  }

  private addForms(value: string): void {
    const lines = value.split(/\r?\n/).filter((line) => line.length >= lineLongEnough)
    for (const plain of new Set([value, value.trim(), ...lines])) {
      const base64 = encodeBase64(textToBytes(plain))
      this.add(plain)
      this.add(base64)
      this.add(base64.replace(/=+$/, ''))
      this.add(JSON.stringify(plain).slice(1, -1))
      this.add(quoteGo(plain).slice(1, -1))
      // a lone surrogate has no such form
      if (plain.isWellFormed()) this.add(encodeURIComponent(plain))
    }
  }

  private add(text: string): void {
    if (text.length === 0 || text === mask) return
    const set = text.length < longEnough ? this.short : this.long
    if (set.has(text)) return
    set.add(text)
    this.pattern = undefined
  }

  /** Longer values first, so that none is left half. */
  private compile(): RegExp {
    const alternatives = [...this.long]
      .sort((a, b) => b.length - a.length)
      .map((text) => escapeRegExp(text))
    if (this.short.size > 0) {
      const any = [...this.short].map(escapeRegExp).join('|')
      alternatives.push(`(["'\`])(?:${any})(["'\`])`)
    }
    // the groups of short values are always there, matched or not
    if (this.short.size === 0) alternatives.push('(?!)(x)(x)')
    return new RegExp(alternatives.join('|'), 'g')
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
