import {
  BudgetError,
  type CallContext,
  FunctionFailure,
  TemplateError,
  type Value,
} from '../../../lang/gotemplate/index.ts'
import { quoteGo } from '../../../text/index.ts'
import { define, type FunctionList } from './define.ts'
import { hostOf } from './host.ts'

/** Marks the text that `fail` and `required` put into an error, as Helm does. */
export const failStart = 'HELM_ERR_START'
export const failEnd = 'HELM_ERR_END'

const maxActive = 1000 // helm 4.2 pkg/engine/engine.go recursionMaxNums

/** Helm removes this text from the output of files and of tpl, wherever it came from. */
export function dropNoValue(text: string): string {
  return text.includes('<no value>') ? text.replaceAll('<no value>', '') : text
}

const activeIncludes = new WeakMap<object, Map<string, number>>()

function activeOf({ run }: CallContext): Map<string, number> {
  let active = activeIncludes.get(run)
  if (active === undefined) {
    active = new Map()
    activeIncludes.set(run, active)
  }
  return active
}

function nestedTooDeep(name: string): FunctionFailure {
  return new FunctionFailure(
    `rendering template has a nested reference name: ${name}: unable to execute template`,
    new FunctionFailure('unable to execute template'),
  )
}

export const templateFunctions: FunctionList = [
  [
    'include',
    // calls nest through here: taking the list of arguments apart would need much of the stack
    define('sa', (args, context) => {
      const name: string = args[0]
      const active = activeOf(context)
      const count = active.get(name) ?? 0
      if (count > maxActive) throw nestedTooDeep(name)
      active.set(name, count + 1)
      const text = context.include(name, args[1])
      active.set(name, count)
      return text
    }),
  ],
  [
    'tpl',
    define('sa', ([text, data], context) => {
      if (!text.includes('{{')) return dropNoValue(text)
      try {
        return dropNoValue(context.evaluate(text, data))
      } catch (error) {
        if (!(error instanceof TemplateError) || error instanceof BudgetError) throw error
        const what =
          error.code === 'TEMPLATE_PARSE'
            ? `cannot parse template ${quoteGo(text)}`
            : `error during tpl function execution for ${quoteGo(text)}`
        throw new FunctionFailure(`${what}: ${error.message}`, error)
      }
    }),
  ],
  [
    'required',
    define('sa', ([warning, value]) => {
      if (value === null || value === undefined || value === '') throw failure(warning)
      return value as Value
    }),
  ],
  [
    'fail',
    define('s', ([message]) => {
      throw failure(message)
    }),
  ],
  [
    'lookup',
    define(
      'ssss',
      ([apiVersion, kind, namespace, name], context) =>
        hostOf(context).lookup?.(apiVersion, kind, namespace, name) ?? new Map(),
    ),
  ],
]

function failure(message: string): FunctionFailure {
  return new FunctionFailure(failStart + message + failEnd)
}
