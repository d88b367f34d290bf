import { defineKey, type Json } from '../../json/index.ts'
import {
  Break,
  type Closure,
  extended,
  type Failure,
  type FunctionValue,
  giveAtPath,
  giveEach,
  giveIndex,
  giveSlice,
  keysOf,
  type Next,
  type Node,
  type Path,
  type Scope,
} from './machine.ts'
import type { BinaryOperator } from './operators.ts'
import { at } from './paths.ts'
import { described, JqError, truthy } from './values.ts'

// Node constructors. Each is one construct of the language; what is said of paths there follows gojq: arguments of
// operators and functions continue the path, conditions, bound values and index expressions do not.

export const identity: Node = {
  run: (machine, value, path, _scope, next) => machine.give(next, value, path),
}

export const empty: Node = { run: (machine) => machine.backtrack() }

export const constant = (constantValue: Json): Node => ({
  run: (machine, _value, path, _scope, next) => machine.give(next, constantValue, path),
})

export const pipe = (left: Node, right: Node): Node => ({
  run(machine, value, path, scope, next) {
    machine.eval(left, value, path, scope, {
      accept: (then, output, outputPath) => then.eval(right, output, outputPath, scope, next),
    })
  },
})

export const comma = (left: Node, right: Node): Node => ({
  run(machine, value, path, scope, next) {
    machine.fork({
      retry(again) {
        again.eval(right, value, path, scope, next)
        return true
      },
    })
    machine.eval(left, value, path, scope, next)
  },
})

/** Evaluates `expression` apart from the path, then goes on with each of its outputs. */
function aside(expression: Node, then: (output: Json, scope: Scope | undefined) => Node): Node {
  return {
    run(machine, value, path, scope, next) {
      machine.eval(expression, value, undefined, scope, {
        accept: (again, output) => again.eval(then(output, scope), value, path, scope, next),
      })
    },
  }
}

/** Runs a node without a path; its outputs stand at the end of the path that the input had. */
export const apart = (of: Node): Node => ({
  run(machine, value, path, scope, next) {
    machine.eval(of, value, undefined, scope, {
      accept: (again, output) => again.give(next, output, path),
    })
  },
})

export const condition = (test: Node, then: Node, otherwise: Node): Node =>
  aside(test, (output) => (truthy(output) ? then : otherwise))

export const iterate = (of: Node): Node => ({
  run(machine, value, path, scope, next) {
    machine.eval(of, value, path, scope, {
      accept: (again, output, outputPath) => giveEach(again, output, outputPath, next),
    })
  },
})

export const index = (of: Node, key: Node): Node => ({
  run(machine, value, path, scope, next) {
    machine.eval(key, value, undefined, scope, {
      accept: (keyed, keyValue) =>
        keyed.eval(of, value, path, scope, {
          accept: (again, output, outputPath) =>
            giveIndex(again, output, keyValue, outputPath, next),
        }),
    })
  },
})

/** `.name` on the input, or on what a node gives: by far the most frequent node. */
export const field = (of: Node, key: Json): Node =>
  of === identity
    ? { run: (machine, value, path, _scope, next) => giveIndex(machine, value, key, path, next) }
    : {
        run(machine, value, path, scope, next) {
          machine.eval(of, value, path, scope, {
            accept: (again, output, outputPath) => giveIndex(again, output, key, outputPath, next),
          })
        },
      }

export const slicing = (of: Node, from: Node, to: Node): Node => ({
  run(machine, value, path, scope, next) {
    machine.eval(from, value, undefined, scope, {
      accept: (started, start) =>
        started.eval(to, value, undefined, scope, {
          accept: (ended, end) =>
            ended.eval(of, value, path, scope, {
              accept: (again, output, outputPath) =>
                giveSlice(again, output, { start, end }, outputPath, next),
            }),
        }),
    })
  },
})

export const getPathNode = (keys: Node): Node => ({
  run(machine, value, path, scope, next) {
    machine.eval(keys, value, undefined, scope, {
      accept: (again, found) => giveAtPath(again, value, found, path, next),
    })
  },
})

/** Arguments are computed from the last to the first, so the first varies fastest. */
export const native = (
  args: readonly Node[],
  run: (value: Json, args: readonly Json[], charge: (amount: number) => void) => Json,
): Node => ({
  run(machine, value, path, scope, next) {
    const compute = (
      on: typeof machine,
      left: number,
      known: readonly Json[],
      argumentPath: Path | undefined,
    ): void => {
      if (left === 0) {
        const result = run(value, known, (amount) => on.charge(amount))
        on.give(next, result, argumentPath)
        return
      }
      on.eval(args[left - 1]!, value, argumentPath, scope, {
        accept: (again, output, outputPath) =>
          compute(again, left - 1, [output, ...known], outputPath),
      })
    }
    compute(machine, args.length, [], path)
  },
})

export const binary = (operator: BinaryOperator, left: Node, right: Node): Node =>
  native([left, right], (_value, [a, b], charge) => {
    const result = operator(a as Json, b as Json)
    if (typeof result === 'string') charge(result.length >> 6)
    else if (Array.isArray(result)) charge(result.length)
    return result
  })

/** A native function with several outputs. */
export const generator = (
  args: readonly Node[],
  run: (value: Json, args: readonly Json[]) => Iterator<Json>,
): Node => ({
  run(machine, value, path, scope, next) {
    const list = native(args, (_value, known) => known as Json)
    machine.eval(list, value, path, scope, {
      accept(started, known, argumentPath) {
        const items = run(value, known as readonly Json[])
        const step = (on: typeof machine): boolean => {
          const item = items.next()
          if (item.done === true) return false
          on.fork({ retry: step })
          on.give(next, item.value, argumentPath)
          return true
        }
        if (!step(started)) started.backtrack()
      },
    })
  },
})

/** `A // B`: the outputs of A that are neither null nor false; those of B where A has none. */
export const alternative = (left: Node, right: Node): Node => ({
  run(machine, value, path, scope, next) {
    let found = false
    machine.fork({
      retry(again) {
        if (found) return false
        again.eval(right, value, path, scope, next)
        return true
      },
    })
    machine.eval(left, value, path, scope, {
      accept(again, output, outputPath) {
        if (!truthy(output)) {
          again.backtrack()
          return
        }
        found = true
        again.give(next, output, outputPath)
      },
    })
  },
})

export const collect = (of: Node): Node => ({
  run(machine, value, path, scope, next) {
    const items: Json[] = []
    machine.fork({
      retry(again) {
        again.give(next, items, path)
        return true
      },
    })
    machine.eval(of, value, path, scope, {
      accept(again, output) {
        items.push(output)
        again.backtrack()
      },
    })
  },
})

export const lastOf = (source: Node): Node => ({
  run(machine, value, path, scope, next) {
    let last: { readonly value: Json } | undefined
    machine.fork({
      retry(again) {
        if (last === undefined) return false
        again.give(next, last.value, path)
        return true
      },
    })
    machine.eval(source, value, path, scope, {
      accept(again, output) {
        last = { value: output }
        again.backtrack()
      },
    })
  },
})

export interface EntryNodes {
  readonly key: Node
  /** Undefined for `{name}`, which takes the field of the input. */
  readonly value: Node | undefined
}

export const objectNode = (entries: readonly EntryNodes[]): Node => ({
  run(machine, value, path, scope, next) {
    const build = (
      on: typeof machine,
      done: number,
      pairs: readonly (readonly [Json, Json])[],
      entryPath: Path | undefined,
    ): void => {
      const entry = entries[done]
      if (entry === undefined) {
        on.give(next, objectOf(pairs), entryPath)
        return
      }
      on.eval(entry.key, value, entryPath, scope, {
        accept(keyed, key, keyPath) {
          if (entry.value === undefined) {
            build(keyed, done + 1, [...pairs, [key, at(value, key)]], keyPath)
            return
          }
          keyed.eval(entry.value, value, keyPath, scope, {
            accept: (again, output, outputPath) =>
              build(again, done + 1, [...pairs, [key, output]], outputPath),
          })
        },
      })
    }
    build(machine, 0, [], path)
  },
})

function objectOf(pairs: readonly (readonly [Json, Json])[]): Json {
  const out: { [key: string]: Json } = {}
  for (const [key, value] of pairs.toReversed()) {
    if (typeof key !== 'string') {
      throw new JqError(`expected a string for object key but got: ${described(key)}`)
    }
    if (!Object.hasOwn(out, key)) defineKey(out, key, value)
  }
  return out
}

/** `try`: what fails in the body is caught; what fails after an output of it was handed on is not. */
export const attempt = (body: Node, rescue: Node): Node => ({
  run(machine, value, path, scope, next) {
    const mark = {}
    machine.fork({
      retry: () => false,
      rescue(again, failure): Failure | 'handled' {
        if (failure.label !== undefined || failure.left.has(mark)) return failure
        again.eval(rescue, failure.error.value, path, scope, next)
        return 'handled'
      },
    })
    machine.eval(body, value, path, scope, {
      accept(again, output, outputPath) {
        again.fork({
          retry: () => false,
          rescue: (_machine, failure) => ({ ...failure, left: new Set([...failure.left, mark]) }),
        })
        again.give(next, output, outputPath)
      },
    })
  },
})

export const labelled = (body: Node): Node => ({
  run(machine, value, path, scope, next) {
    const label: { readonly label: true } = { label: true }
    machine.fork({
      retry: () => false,
      rescue: (_machine, failure) => (failure.label === label ? 'swallowed' : failure),
    })
    machine.eval(body, value, path, { entry: label as Json, outer: scope }, next)
  },
})

export const breakTo = (hops: number, name: string): Node => ({
  run(_machine, _value, _path, scope) {
    throw new Break(lookUp(scope, hops).entry as object, name)
  },
})

export const reduceNode = (start: Node, source: Node, bind: Binder, update: Node): Node => ({
  run(machine, value, path, scope, next) {
    machine.eval(start, value, path, scope, {
      accept(started, initial, startPath) {
        let state: Json = initial
        started.fork({
          retry(again) {
            again.give(next, state, startPath)
            return true
          },
        })
        started.eval(source, value, startPath, scope, {
          accept: (on, item, itemPath) =>
            bind(on, item, itemPath, scope, (bound, boundScope, boundPath) =>
              bound.eval(update, state, boundPath, boundScope, {
                accept(again, output) {
                  state = output
                  again.backtrack()
                },
              }),
            ),
        })
      },
    })
  },
})

export const foreachNode = (
  start: Node,
  source: Node,
  bind: Binder,
  update: Node,
  extract: Node,
): Node => ({
  run(machine, value, path, scope, next) {
    machine.eval(start, value, path, scope, {
      accept(started, initial, startPath) {
        let state: Json = initial
        started.eval(source, value, startPath, scope, {
          accept: (on, item, itemPath) =>
            bind(on, item, itemPath, scope, (bound, boundScope, boundPath) =>
              bound.eval(update, state, boundPath, boundScope, {
                accept(again, output, outputPath) {
                  state = output
                  again.eval(extract, output, outputPath, boundScope, next)
                },
              }),
            ),
        })
      },
    })
  },
})

/** Takes a value apart into variables and goes on with the scope that holds them; perhaps several times. */
export type Binder = (
  machine: Parameters<Node['run']>[0],
  value: Json,
  path: Path | undefined,
  scope: Scope | undefined,
  then: (
    machine: Parameters<Node['run']>[0],
    scope: Scope | undefined,
    path: Path | undefined,
  ) => void,
) => void

export const bindVariable: Binder = (machine, value, path, scope, then) =>
  then(machine, { entry: value, outer: scope }, path)

export const inOrder = (binders: readonly Binder[]): Binder =>
  binders.reduceRight<Binder>(
    (rest, first) => (machine, value, path, scope, then) =>
      first(machine, value, path, scope, (again, inner, innerPath) =>
        rest(again, value, innerPath, inner, then),
      ),
    (machine, _value, path, scope, then) => then(machine, scope, path),
  )

export const bindItem =
  (position: number, binder: Binder): Binder =>
  (machine, value, path, scope, then) => {
    if (value !== null && !Array.isArray(value)) {
      throw new JqError(`expected an array but got: ${described(value)}`)
    }
    const item = at(value, position)
    binder(machine, item, extended(path, value, position, item), scope, then)
  }

/** The key is an expression over the value that is taken apart. */
export const bindKey =
  (key: Node, binders: readonly Binder[]): Binder =>
  (machine, value, path, scope, then) =>
    machine.eval(key, value, path, scope, {
      accept(again, keyValue, keyPath) {
        const item = at(value, keyValue)
        const itemPath = extended(keyPath, value, keyValue, item)
        inOrder(binders)(again, item, itemPath, scope, then)
      },
    })

/** One way of taking a bound value apart, and the body that sees its variables. */
export interface BoundBody {
  readonly bind: Binder
  readonly body: Node
}

/**
 * `source as pattern | body`. With `?//` the next pattern is tried when something fails with the one before; variables
 * of other patterns are then null, `absent` of them.
 */
export const bindNode = (source: Node, ways: readonly BoundBody[], absent: number): Node => ({
  run(machine, value, path, scope, next) {
    machine.eval(source, value, undefined, scope, {
      accept(started, found) {
        const attemptPattern = (on: typeof machine, nth: number): void => {
          if (nth + 1 < ways.length) {
            on.fork({
              retry: () => false,
              rescue(again) {
                attemptPattern(again, nth + 1)
                return 'handled'
              },
            })
          }
          let inner = scope
          for (let i = 0; i < absent; i++) inner = { entry: null, outer: inner }
          const { bind, body } = ways[nth]!
          bind(on, found, undefined, inner, (again, bound) =>
            again.eval(body, value, path, bound, next),
          )
        }
        attemptPattern(started, 0)
      },
    })
  },
})

export const pathsOf = (of: Node): Node => ({
  run(machine, value, path, scope, next) {
    machine.eval(of, value, { before: undefined, key: undefined, value }, scope, {
      accept: (again, output, outputPath) =>
        again.give(next, keysOf(outputPath!, output) as Json, path),
    })
  },
})

function lookUp(scope: Scope | undefined, hops: number): Scope {
  let found = scope
  for (let i = 0; i < hops; i++) found = found!.outer
  return found!
}

export const variable = (hops: number): Node => ({
  run: (machine, _value, path, scope, next) =>
    machine.give(next, lookUp(scope, hops).entry as Json, path),
})

/** Runs an argument of the function that is being defined, where it was written. */
export const callClosure = (hops: number): Node => ({
  run(machine, value, path, scope, next) {
    const { node, scope: own } = lookUp(scope, hops).entry as Closure
    machine.eval(node, value, path, own, next)
  },
})

export interface Argument {
  readonly node: Node
  /** Set when the argument is nothing but an argument of the calling function: it is handed on as it is. */
  readonly sameAs: number | undefined
}

export const call = (hops: number, args: readonly Argument[]): Node => ({
  run(machine, value, path, scope, next) {
    const place = lookUp(scope, hops)
    const { parameters, body } = place.entry as unknown as FunctionValue
    let inner: Scope | undefined = place
    for (const { node, sameAs } of args) {
      const entry: Closure =
        sameAs === undefined ? { node, scope } : (lookUp(scope, sameAs).entry as Closure)
      inner = { entry, outer: inner }
    }
    enter(machine, value, path, inner, parameters, 0, body(), next)
  },
})

/** Computes the arguments whose names begin with `$`, from the first to the last, and runs the body with each. */
function enter(
  machine: Parameters<Node['run']>[0],
  value: Json,
  path: Path | undefined,
  scope: Scope | undefined,
  parameters: readonly string[],
  from: number,
  body: Node,
  next: Next,
): void {
  const nth = parameters.findIndex((name, i) => i >= from && name.startsWith('$'))
  if (nth === -1) {
    machine.eval(body, value, path, scope, next)
    return
  }
  const bound = parameters.slice(0, nth).filter((name) => name.startsWith('$')).length
  const { node, scope: own } = lookUp(scope, parameters.length - 1 - nth + bound).entry as Closure
  machine.eval(node, value, undefined, own, {
    accept: (again, output) =>
      enter(again, value, path, { entry: output, outer: scope }, parameters, nth + 1, body, next),
  })
}

export const define = (definition: FunctionValue, body: Node): Node => ({
  run(machine, value, path, scope, next) {
    const entry = definition as unknown as Json
    machine.eval(body, value, path, { entry, outer: scope }, next)
  },
})
