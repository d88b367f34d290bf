import { romanize } from './romanize.ts'

const maxNameLength = 253

/** Lower case, other characters than `[-a-z0-9.]` as `-`. Source: argo-cd v3.5.1 applicationset/utils SanitizeName */
export function normalizeName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^-a-z0-9.]/g, '-')
    .slice(0, maxNameLength)
    .replace(/^[-.]+|[-.]+$/g, '')
}

/**
 * A name that fits a label or host name. `whole` cuts between words where it can.
 *
 * Source: argo-cd v3.5.1 applicationset/utils SlugifyName
 */
export function slugify(text: string, max = 50, whole = true): string {
  return makeSlug(normalizeName(text), max, whole)
}

const words: { readonly [char: string]: string } = { '&': 'and', '@': 'at', _: '-' }

/**
 * Words of small letters and digits with `-` between them, at most `max` long (0: no limit). Letters of other scripts
 * become Latin ones where `romanize` knows them.
 *
 * Source: github.com/gosimple/slug v1.15 Make, as argo-cd v3.5.1 sets it
 */
export function makeSlug(text: string, max: number, whole = true): string {
  const latin = romanize(text.trim().replace(/[&@_]/g, (char) => words[char]!)).toLowerCase()
  // Parity: without regard to words it is cut before it is cleaned
  const slug = (whole ? latin : latin.slice(0, Math.max(max, 0)))
    .replace(/[^a-z0-9-]+/g, '-')
    .replace(/-{2,}/g, '-')
    .replace(/^-+|-+$/g, '')
  if (max <= 0 || slug.length <= max) return slug
  const cut = slug.lastIndexOf('-', max)
  return slug.slice(0, cut === -1 ? max : cut)
}
