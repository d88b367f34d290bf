import type { Caller } from './site.ts'
import { type Frame, Thunk, type Value } from './values.ts'

/** Makes empty frames of a given size whose slot 0 is the parent. Literals keep small frames compact. */
export function frameMaker(size: number): (parent: Frame) => Frame {
  switch (size) {
    case 1:
      return (parent) => [parent]
    case 2:
      return (parent) => [parent, undefined]
    case 3:
      return (parent) => [parent, undefined, undefined]
    case 4:
      return (parent) => [parent, undefined, undefined, undefined]
    case 5:
      return (parent) => [parent, undefined, undefined, undefined, undefined]
    case 6:
      return (parent) => [parent, undefined, undefined, undefined, undefined, undefined]
    default:
      return (parent) => {
        const frame: Frame = [parent, undefined, undefined, undefined, undefined, undefined]
        for (let i = 6; i < size; i++) frame.push(undefined)
        return frame
      }
  }
}

/** The frame `hops` links up. */
export function climb(hops: number): (frame: Frame) => Frame {
  switch (hops) {
    case 0:
      return (frame) => frame
    case 1:
      return (frame) => frame[0] as Frame
    case 2:
      return (frame) => (frame[0] as Frame)[0] as Frame
    case 3:
      return (frame) => ((frame[0] as Frame)[0] as Frame)[0] as Frame
    default:
      return (frame) => {
        let at = frame
        for (let i = 0; i < hops; i++) at = at[0] as Frame
        return at
      }
  }
}

/** Reads a slot, working out what is delayed there and keeping the value. */
export function readSlot(frame: Frame, slot: number, caller: Caller): Value {
  const value = frame[slot]
  if (!(value instanceof Thunk)) return value as Value
  const known = value.force(caller)
  frame[slot] = known
  return known
}
