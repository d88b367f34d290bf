import { describe, expect, it } from 'vitest'
import { memoryTree } from '../../files/index.ts'
import { treeImporter } from './importer.ts'

const tree = memoryTree({
  'apps/web/sub/near.libsonnet': 'near',
  'apps/web/shared.libsonnet': 'app',
  'apps/shared.libsonnet': 'apps',
  'lib-a/common.libsonnet': 'a',
  'lib-b/common.libsonnet': 'b',
  'lib-a/only.libsonnet': 'a',
  'lib-b/shared.libsonnet': 'b',
  'lib-a/link.libsonnet': { link: '../lib-b/common.libsonnet' },
  'lib-a/out.libsonnet': { link: '../../etc/passwd' },
})
const importer = treeImporter(tree, ['apps/web', '/lib-a', 'lib-b'])

describe('treeImporter', () => {
  it.each([
    ['apps/web/sub/x.jsonnet', 'near.libsonnet', 'apps/web/sub/near.libsonnet'],
    ['apps/web/sub/x.jsonnet', '../shared.libsonnet', 'apps/web/shared.libsonnet'],
    ['apps/web/sub/x.jsonnet', 'shared.libsonnet', 'lib-b/shared.libsonnet'],
    ['apps/web/sub/x.jsonnet', 'common.libsonnet', 'lib-b/common.libsonnet'],
    ['apps/web/sub/x.jsonnet', 'only.libsonnet', 'lib-a/only.libsonnet'],
    ['apps/web/x.jsonnet', './sub/../shared.libsonnet', 'apps/web/shared.libsonnet'],
    ['lib-b/x.jsonnet', 'link.libsonnet', 'lib-a/link.libsonnet'],
    ['', 'apps/shared.libsonnet', 'apps/shared.libsonnet'],
  ])('from %s finds %s at %s', (from, path, found) => {
    expect(importer(from, path)).toMatchObject({ path: found })
  })
  it.each([
    [
      'none.libsonnet',
      `couldn't open import "none.libsonnet": no match locally or in the Jsonnet library paths`,
    ],
    ['/etc/passwd', 'import "/etc/passwd" is absolute; paths stay in the repository'],
    ['../../../x', 'import "../../../x" leaves the repository'],
    ['out.libsonnet', 'import "out.libsonnet" leaves the repository'],
    ['sub', `couldn't open import "sub": no match locally or in the Jsonnet library paths`],
  ])('refuses %s', (path, reason) => {
    expect(importer('apps/web/x.jsonnet', path)).toBe(reason)
  })
})
