import { readAppsetSettings } from '@litecd/core/appset'
import { describe, expect, it } from 'vitest'
import { helpText, parseOptions } from './index.ts'

describe('flags of ApplicationSets', () => {
  it('are settings, and win over the environment', () => {
    const { environment } = parseOptions(
      [
        ...['--policy', 'create-update', '--enable-policy-override', '--enable-progressive-syncs'],
        ...['--applicationset-namespaces', 'a,b*', '--applicationset-dry-run'],
        ...['--concurrent-reconciliations', '3', '--max-resources-status-count', '0'],
        ...['--preserved-annotations', 'x', '--preserved-labels', 'y,z'],
        '--enable-new-git-file-globbing',
      ],
      { ARGOCD_APPLICATIONSET_CONTROLLER_POLICY: 'create-only' },
    )
    expect(readAppsetSettings({}, environment)).toMatchObject({
      policy: 'create-update',
      policyOverride: true,
      namespaces: ['a', 'b*'],
      progressiveSyncs: true,
      dryRun: true,
      newGitFileGlobbing: true,
      workers: 3,
      maxResources: 0,
      preservedAnnotations: ['x'],
      preservedLabels: ['y', 'z'],
      pollMs: 180_000,
      problems: [],
    })
  })

  it('keep sets from overriding a policy', () => {
    const { environment } = parseOptions(['--policy', 'sync'], {})
    expect(readAppsetSettings({}, environment).policyOverride).toBe(false)
  })

  it('refuse a policy that there is not', () => {
    expect(() => parseOptions(['--policy', 'all'], {})).toThrow(
      '--policy must be one of sync, create-only, create-update, create-delete, not "all"',
    )
  })

  it('are told by the help', () => {
    expect(helpText).toContain('--enable-progressive-syncs')
  })
})

describe('--webhook-addr', () => {
  it.each([
    [':7000', { host: undefined, port: 7000 }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['[::1]:8080', { host: '::1', port: 8080 }],
  ])('%s', (text, webhook) => {
    expect(parseOptions(['--webhook-addr', text], {})).toMatchObject({ webhook })
  })

  it('is off where nothing is said, and refuses what is no place', () => {
    expect(parseOptions([], {}).webhook).toBeUndefined()
    for (const text of ['7000', 'host', ':99999', '::1:80']) {
      expect(() => parseOptions(['--webhook-addr', text], {})).toThrow('--webhook-addr must be')
    }
  })
})

describe('flags of charts', () => {
  it('grant nothing unless told', () => {
    expect(parseOptions([], {})).toMatchObject({ realChance: false, helmLookup: 'none' })
  })

  it('are taken from the command line and the environment', () => {
    expect(parseOptions(['--real-chance', '--helm-lookup', 'objects'], {})).toMatchObject({
      realChance: true,
      helmLookup: 'objects',
    })
    const environment = { LITECD_REAL_CHANCE: 'true', LITECD_HELM_LOOKUP: 'secrets' }
    expect(parseOptions([], environment)).toMatchObject({ realChance: true, helmLookup: 'secrets' })
    expect(() => parseOptions(['--helm-lookup', 'all'], {})).toThrow(
      '--helm-lookup must be none, objects, secrets or cluster, not "all"',
    )
    for (const flag of ['--real-chance', '--helm-lookup']) expect(helpText).toContain(flag)
  })
})
