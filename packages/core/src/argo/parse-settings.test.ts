import { describe, expect, it } from 'vitest'
import { parseSettings } from './parse-settings.ts'
import { defaultSettings } from './settings.ts'

const read = (argocdCm: { [key: string]: string }) => parseSettings({ argocdCm })

describe('parseSettings', () => {
  it('gives the defaults for empty ConfigMaps', () => {
    expect(read({})).toEqual({ settings: defaultSettings, problems: [] })
  })

  it('reads tracking, tools and exclusions', () => {
    const { settings } = read({
      'application.resourceTrackingMethod': 'annotation+label',
      'application.instanceLabelKey': 'x/y',
      installationID: 'one',
      'helm.enable': 'yes',
      'resource.exclusions': '- apiGroups: [a]\n  kinds: [B]\n',
    })
    expect(settings.tracking).toEqual({
      method: 'annotation+label',
      labelKey: 'x/y',
      installationId: 'one',
    })
    expect(settings.sourceTypes.helm).toBe(false)
    expect(settings.exclusions.at(-1)).toEqual({ apiGroups: ['a'], kinds: ['B'], clusters: [] })
  })

  it('merges both spellings of customizations and adds the status pointer', () => {
    const { settings } = read({
      'resource.customizations':
        'apps/Deployment:\n  ignoreDifferences: |\n    jsonPointers: [/spec/replicas]\n',
      'resource.customizations.health.cert-manager.io_Certificate': 'return {}',
      'resource.customizations.ignoreDifferences.all': 'managedFieldsManagers: [kube]',
    })
    expect(settings.overrides['apps/Deployment']?.ignoreDifferences?.jsonPointers).toEqual([
      '/spec/replicas',
    ])
    expect(settings.overrides['cert-manager.io/Certificate']?.healthLua).toBe('return {}')
    expect(settings.overrides['*/*']?.ignoreDifferences).toEqual({
      jsonPointers: ['/status'],
      jqPathExpressions: [],
      managedFieldsManagers: ['kube'],
    })
  })

  it.each([
    ['resource.customizations.colour.x_Y', 'x', 'resource customization type colour not supported'],
    [
      'resource.customizations.useOpenLibs.x_Y',
      'maybe',
      'strconv.ParseBool: parsing "maybe": invalid syntax',
    ],
  ])('%s: %s makes every comparison fail', (key, value, message) => {
    expect(read({ [key]: value }).fatal).toBe(message)
  })

  it('takes the environment before argocd-cmd-params-cm and names what it cannot read', () => {
    const parsed = parseSettings({
      argocdCm: { 'timeout.reconciliation': 'soon' },
      params: { 'controller.sync.wave.delay.seconds': '5' },
      environment: { ARGOCD_SYNC_WAVE_DELAY: '1' },
    })
    expect(parsed.settings.timeouts.syncWaveDelayMs).toBe(1_000)
    expect(parsed.problems).toEqual([
      'timeout.reconciliation: "soon" is no duration; the default is used',
    ])
  })
})
