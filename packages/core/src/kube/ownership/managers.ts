import { getPath, isObject, type Json, type JsonObject } from '../../json/index.ts'
import { type FieldSet, readFields } from './field-set.ts'

/** What one manager owns, at one version of the kind. */
export interface Owner {
  readonly manager: string
  readonly operation: 'Apply' | 'Update'
  readonly subresource: string
  readonly version: string
  readonly fields: FieldSet
}

/** Thrown for entries that cannot be read; the message is that of Kubernetes. */
export class UnreadableEntry extends Error {}

/**
 * The owners of an object's fields. Of several entries with one manager, operation, subresource and, for updates, version
 * the last counts.
 */
export function readManagers(object: JsonObject): readonly Owner[] {
  const owners = new Map<string, Owner>()
  for (const [index, entry] of entriesOf(object).entries()) {
    const { operation, apiVersion, fieldsType } = entry
    if (operation !== 'Apply' && operation !== 'Update') {
      throw new UnreadableEntry('operation must be `Apply` or `Update`')
    }
    if (typeof apiVersion !== 'string' || apiVersion === '') {
      throw new UnreadableEntry('apiVersion must not be empty')
    }
    if (fieldsType !== 'FieldsV1') {
      throw new UnreadableEntry(
        typeof fieldsType === 'string' && fieldsType !== ''
          ? `invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`
          : `missing fieldsType in managed fields entry ${index}`,
      )
    }
    const [manager, subresource] = [text(entry['manager']), text(entry['subresource'])]
    const key = [manager, operation, operation === 'Apply' ? '' : apiVersion, subresource]
    owners.set(JSON.stringify(key), {
      manager,
      operation,
      subresource,
      version: apiVersion,
      fields: fieldsOf(entry),
    })
  }
  return [...owners.values()]
}

/** True for what a manager applied to the object itself. */
export function isOwnEntry(owner: Owner, manager: string): boolean {
  return owner.manager === manager && owner.operation === 'Apply' && owner.subresource === ''
}

/** The entries of `metadata.managedFields`, those that are no objects left out. */
export function entriesOf(object: JsonObject): readonly JsonObject[] {
  const entries = getPath(object, 'metadata', 'managedFields')
  return Array.isArray(entries) ? entries.filter(isObject) : []
}

/** Throws UnreadableEntry. */
export function fieldsOf(entry: JsonObject): FieldSet {
  const fields = entry['fieldsV1']
  try {
    return readFields(isObject(fields) ? fields : {})
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new UnreadableEntry(`error decoding set: ${error.message}`)
  }
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}
