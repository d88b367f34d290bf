import { describe, expect, it } from 'vitest'
import * as math from './go-math.ts'

// The results are those of Go 1.26 on amd64; JavaScript's own differ in the last digit.
describe('Go on amd64 gives', () => {
  it.each([
    ['exp', [23.51409027812042], 16294448079.519806],
    ['exp', [709.7], Number.POSITIVE_INFINITY],
    ['log', [920.8400701880887], 6.8252863731725],
    ['sin', [14.50750366859161], 0.9322055269144159],
    ['sin', [1e10], -0.48750602508751073],
    ['tan', [1e21], -0.89552329255426555],
    ['cos', [-26.431017134808172], 0.2691596950311347],
    ['tan', [-70.22191299802876], -1.998630257151349],
    ['asin', [-0.804506397599771], -0.9348439409915746],
    ['acos', [0.544137543164563], 0.9954355180915554],
    ['atan', [-2.6238376253053914], -1.2066700024481183],
    ['atan2', [-3.615700127224752, -6.496191455411548], -2.6337057963666424],
    ['pow', [18.43485535767509, 5.8525800136253014], 25542171.355577298],
    ['pow', [4.674696033575261, 6], 10435.668142225002],
    ['pow', [2, -1074], 5e-324],
    ['pow', [-8, 1 / 3], Number.NaN],
    ['hypot', [3e200, 4e200], 4.9999999999999995e200],
  ] as const)('%s of %j', (name, [x, y = 0], result) => {
    // biome-ignore lint/performance/noDynamicNamespaceImportAccess: the table names the functions
    expect((math[name] as (x: number, y: number) => number)(x, y)).toBe(result)
  })
})
