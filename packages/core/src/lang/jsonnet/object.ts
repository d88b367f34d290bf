import { compareStrings } from '../../json/index.ts'
import { missingFieldHint } from './hints.ts'
import { budgetExceeded, enter, fail, machine, spend } from './machine.ts'
import type { Caller } from './site.ts'
import {
  type Field,
  type FoundField,
  type Frame,
  ObjectValue,
  type Shape,
  type Value,
} from './values.ts'

const noFrame: Frame = []

/** An instance of an object literal. */
export function leafObject(shape: Shape, frame: Frame): ObjectValue {
  const asserted = shape.asserts.length > 0
  return new ObjectValue(shape, frame, undefined, undefined, undefined, 1, false, asserted)
}

/** `left + right`. Constant time: layers are laid out when a field is first read. */
export function joinObjects(left: ObjectValue, right: ObjectValue): ObjectValue {
  const size = left.size + right.size
  const restricted = left.restricted || right.restricted
  const asserted = left.asserted || right.asserted
  return new ObjectValue(undefined, noFrame, left, right, undefined, size, restricted, asserted)
}

/** The object without one field; what its other fields say about themselves stays late bound. */
export function removeKey(object: ObjectValue, key: string, caller: Caller): ObjectValue {
  const retained = new Map(visibilities(object, caller))
  retained.delete(key)
  const { size, asserted } = object
  return new ObjectValue(undefined, noFrame, object, undefined, retained, size + 1, true, asserted)
}

/** An object of values that are there already. Fields are visible where their neighbours say nothing else. */
export function plainObject(entries: Iterable<readonly [string, Value]>): ObjectValue {
  const fields: Field[] = []
  for (const [name, constant] of entries) {
    fields.push({ name, visibility: 0, constant, code: noCode, framed: false, frame: undefined })
  }
  return leafObject(plainShape(fields), noFrame)
}

/** A shape without locals and asserts. Names must differ. */
export function plainShape(fields: readonly Field[]): Shape {
  return {
    fields,
    index: new Map(fields.map((field, i) => [field.name, i])),
    asserts: [],
    makeFrame: (parent, self, depth) => [parent, self, depth],
    visible: undefined,
  }
}

function noCode(): Value {
  return null
}

/** `self.name` with all that comes with it: asserts, inheritance, one evaluation per object. */
export function indexObject(self: ObjectValue, name: string, caller: Caller): Value {
  if (self.pending) checkAsserts(self, caller)
  const { shape } = self
  if (shape !== undefined) {
    const position = shape.index.get(name)
    if (position === undefined) return missing(self, name, caller)
    const value = self.values?.[position]
    return value !== undefined ? value : leafField(self, self, position, 0, caller)
  }
  const found = findField(self, name, 0, caller)
  if (found === undefined) return missing(self, name, caller)
  return found.value !== undefined ? found.value : compositeField(self, found, caller)
}

/** `super.name` in code of the layer at `depth`. */
export function indexSuper(self: ObjectValue, depth: number, name: string, caller: Caller): Value {
  if (self.pending) checkAsserts(self, caller)
  if (depth + 1 >= self.size) fail('Attempt to use super when there is no super class.', caller)
  const found = findField(self, name, depth + 1, caller)
  if (found === undefined) return missing(self, name, caller)
  return found.value !== undefined ? found.value : compositeField(self, found, caller)
}

/** Whether a layer from `depth` on has the field, hidden or not. */
export function hasFieldFrom(
  self: ObjectValue,
  depth: number,
  name: string,
  caller: Caller,
): boolean {
  if (self.shape !== undefined) return depth === 0 && self.shape.index.has(name)
  return findField(self, name, depth, caller) !== undefined
}

function missing(self: ObjectValue, name: string, caller: Caller): never {
  const names = self.size > 200 ? [] : fieldNames(self, true, caller)
  fail(`Field does not exist: ${name}`, caller, missingFieldHint(name, names))
}

function compositeField(self: ObjectValue, found: FoundField, caller: Caller): Value {
  const value = leafField(self, found.leaf, found.position, found.depth, caller)
  found.value = value
  return value
}

/** Evaluates a field of `leaf` as a layer of `self`. */
function leafField(
  self: ObjectValue,
  leaf: ObjectValue,
  position: number,
  depth: number,
  caller: Caller,
): Value {
  const { fields } = leaf.shape!
  const field = fields[position]!
  if (field.constant !== undefined) return field.constant
  // What does not depend on self is the same for all that inherit it.
  const shared = self === leaf || !field.framed
  if (shared) {
    leaf.values ??= new Array(fields.length).fill(undefined)
    const known = leaf.values[position]
    if (known !== undefined) return known
  }
  enter(caller)
  const value = field.code(
    field.framed ? frameOf(self, leaf, field, depth) : (field.frame ?? leaf.frame),
  )
  machine.depth--
  if (shared) leaf.values![position] = value
  return value
}

function frameOf(self: ObjectValue, leaf: ObjectValue, field: Field, depth: number): Frame {
  if (field.frame !== undefined) return leaf.shape!.makeFrame(field.frame, self, depth)
  return layerFrame(self, leaf, depth)
}

function layerFrame(self: ObjectValue, leaf: ObjectValue, depth: number): Frame {
  self.frames ??= new Array(self.shape === undefined ? self.layers!.length : 1).fill(undefined)
  return (self.frames[depth] ??= leaf.shape!.makeFrame(leaf.frame, self, depth))
}

/** Runs the asserts of all layers, rightmost layer first. While they run they count as passed. */
export function checkAsserts(self: ObjectValue, caller: Caller): void {
  self.pending = false
  const layers = layersOf(self, caller)
  for (let depth = 0; depth < layers.length; depth++) {
    const leaf = layers[depth]!
    if (leaf.shape === undefined) continue
    for (const code of leaf.shape.asserts) {
      enter(caller)
      code(layerFrame(self, leaf, depth))
      machine.depth--
    }
  }
}

/** Layers from right to left; an object with a removed key stands before what it restricts. */
function layersOf(self: ObjectValue, caller: Caller): readonly ObjectValue[] {
  if (self.layers !== undefined) return self.layers
  if (self.size > machine.limits.layers) {
    budgetExceeded(`an object of more than ${machine.limits.layers} layers`, caller)
  }
  const layers: ObjectValue[] = []
  const stack = [self]
  for (let object = stack.pop(); object !== undefined; object = stack.pop()) {
    if (object.shape !== undefined) layers.push(object)
    else if (object.layers !== undefined) for (const layer of object.layers) layers.push(layer)
    else if (object.retained !== undefined) {
      layers.push(object)
      stack.push(object.left!)
    } else {
      stack.push(object.left!, object.right!)
    }
  }
  spend(layers.length >> 3, caller)
  self.layers = layers
  return layers
}

function findField(
  self: ObjectValue,
  name: string,
  from: number,
  caller: Caller,
): FoundField | undefined {
  if (self.restricted) return findRestricted(self, name, from, caller)
  self.found ??= new Map()
  let found = self.found.get(name)
  if (found === undefined) {
    found = search(self, name, 0, caller)
    if (found === undefined) return undefined
    self.found.set(name, found)
  }
  while (found.depth < from) {
    if (found.next === undefined) found.next = search(self, name, found.depth + 1, caller) ?? null
    if (found.next === null) return undefined
    found = found.next
  }
  return found
}

/** The literals that have a field, the one that counts first. */
export function definitionsOf(self: ObjectValue, name: string, caller: Caller): readonly Field[] {
  const { shape } = self
  if (shape !== undefined) {
    const position = shape.index.get(name)
    return position === undefined ? [] : [shape.fields[position]!]
  }
  const out: Field[] = []
  for (let found = findField(self, name, 0, caller); found !== undefined; ) {
    out.push(found.field)
    found = findField(self, name, found.depth + 1, caller)
  }
  return out
}

function search(
  self: ObjectValue,
  name: string,
  from: number,
  caller: Caller,
): FoundField | undefined {
  const layers = layersOf(self, caller)
  for (let depth = from; depth < layers.length; depth++) {
    const leaf = layers[depth]!
    const position = leaf.shape?.index.get(name)
    if (position !== undefined) {
      const field = leaf.shape!.fields[position]!
      return { leaf, field, position, depth, value: undefined, next: undefined }
    }
  }
  return undefined
}

/**
 * Parity: a removed key is only gone when the search starts at the very layer that removed it. With anything added on
 * the right, the field can still be read, though it is not listed.
 * Source: go-jsonnet 0.22 value.go findField
 */
function findRestricted(
  self: ObjectValue,
  name: string,
  from: number,
  caller: Caller,
): FoundField | undefined {
  const layers = layersOf(self, caller)
  const first = layers[from]
  const hidden = first?.retained !== undefined && !first.retained.has(name)
  const found = search(self, name, hidden ? from + first.size : from, caller)
  if (found === undefined) return undefined
  self.found ??= new Map()
  const key = `${found.depth} ${name}`
  const known = self.found.get(key)
  if (known !== undefined) return known
  self.found.set(key, found)
  return found
}

/** Every field with what the layers together say about its visibility. */
function visibilities(self: ObjectValue, caller: Caller): ReadonlyMap<string, 0 | 1 | 2> {
  const all = new Map<string, 0 | 1 | 2>()
  const layers = self.shape !== undefined ? [self] : layersOf(self, caller)
  const note = (name: string, visibility: 0 | 1 | 2): void => {
    const known = all.get(name)
    if (known === undefined || (known === 0 && visibility !== 0)) all.set(name, visibility)
  }
  for (let depth = 0; depth < layers.length; depth++) {
    const layer = layers[depth]!
    if (layer.retained !== undefined) {
      for (const [name, visibility] of layer.retained) note(name, visibility)
      depth += layer.size - 1
    } else {
      for (const { name, visibility } of layer.shape!.fields) note(name, visibility)
    }
  }
  return all
}

/** Names of fields, sorted by their UTF-8 bytes. */
export function fieldNames(self: ObjectValue, hidden: boolean, caller: Caller): readonly string[] {
  if (!hidden) {
    const known = self.shape !== undefined ? self.shape.visible : self.visible
    if (known !== undefined) return known
  }
  const names: string[] = []
  for (const [name, visibility] of visibilities(self, caller)) {
    if (hidden || visibility !== 1) names.push(name)
  }
  spend(names.length >> 1, caller)
  names.sort(compareStrings)
  if (!hidden) {
    if (self.shape !== undefined) self.shape.visible = names
    else self.visible = names
  }
  return names
}

/** Whether the object lists the field. */
export function hasField(
  self: ObjectValue,
  name: string,
  hidden: boolean,
  caller: Caller,
): boolean {
  if (self.shape !== undefined) {
    const position = self.shape.index.get(name)
    return position !== undefined && (hidden || self.shape.fields[position]!.visibility !== 1)
  }
  if (self.restricted) {
    const visibility = visibilities(self, caller).get(name)
    return visibility !== undefined && (hidden || visibility !== 1)
  }
  for (let found = findField(self, name, 0, caller); ; ) {
    if (found === undefined) return false
    if (hidden || found.field.visibility === 2) return true
    if (found.field.visibility === 1) return false
    const next: FoundField | undefined = findField(self, name, found.depth + 1, caller)
    if (next === undefined) return true
    found = next
  }
}
