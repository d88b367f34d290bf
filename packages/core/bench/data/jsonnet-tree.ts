// A monitoring stack in Jsonnet, in the manner of kube-prometheus: a library of builders, components with defaults and
// late-bound configuration, mixins that bring alerts and dashboards, and a file that puts it all together.

const builders = `
{
  local k = self,
  meta(name, namespace, labels):: {
    metadata+: { name: name, namespace: namespace, labels+: labels },
  },
  deployment(name, namespace, labels, containers):: k.meta(name, namespace, labels) {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: labels, annotations: {} },
        spec: { containers: containers, nodeSelector: { 'kubernetes.io/os': 'linux' } },
      },
    },
  },
  withReplicas(n):: { spec+: { replicas: n } },
  withAnnotations(map):: { spec+: { template+: { metadata+: { annotations+: map } } } },
  container:: {
    new(name, image):: { name: name, image: image },
    withPorts(ports):: { ports+: [{ name: p[0], containerPort: p[1] } for p in ports] },
    withArgs(args):: { args+: args },
    withResources(cpu, memory):: {
      resources+: {
        requests+: { cpu: cpu, memory: memory },
        limits+: { memory: memory },
      },
    },
    withEnv(map):: {
      env+: [{ name: pair.key, value: std.toString(pair.value) } for pair in std.objectKeysValues(map)],
    },
  },
  service(name, namespace, labels, ports):: k.meta(name, namespace, labels) {
    apiVersion: 'v1',
    kind: 'Service',
    spec: { selector: labels, ports: [{ name: p[0], port: p[1], targetPort: p[0] } for p in ports] },
  },
}
`

const dashboards = `
{
  local panel(kind) = function(title, queries, width=12) {
    type: kind,
    title: title,
    targets: std.mapWithIndex(function(i, q) { expr: q, refId: std.char(65 + i), legendFormat: '{{instance}}' }, queries),
    gridPos:: { w: width, h: 7 },
    fieldConfig: { defaults: { unit: 'short', custom: { fillOpacity: 10, lineWidth: 1 } }, overrides: [] },
    options: { legend: { showLegend: true, placement: 'bottom' }, tooltip: { mode: 'multi' } },
  },
  graph: panel('timeseries'),
  stat: panel('stat'),
  withUnit(unit):: { fieldConfig+: { defaults+: { unit: unit } } },
  withThreshold(value):: {
    fieldConfig+: { defaults+: { thresholds: { steps: [{ value: null, color: 'green' }, { value: value, color: 'red' }] } } },
  },
  local place(panels) =
    std.foldl(
      function(acc, p)
        local wraps = acc.x + p.gridPos.w > 24;
        local x = if wraps then 0 else acc.x;
        local y = if wraps then acc.y + 7 else acc.y;
        { x: x + p.gridPos.w, y: y, out: acc.out + [p { gridPos+::: { x: x, y: y }, id: std.length(acc.out) + 1 }] },
      panels,
      { x: 0, y: 0, out: [] }
    ).out,
  dashboard(title, uid, panels):: {
    local d = self,
    title: title,
    uid: uid,
    tags:: [],
    panels: place(panels),
    templating: { list: [{ name: v, query: 'label_values(%s)' % v } for v in d.variables] },
    variables:: ['cluster', 'namespace', 'instance'],
    editable: false,
    time: { from: 'now-1h', to: 'now' },
  },
}
`

function component(name: string, index: number): string {
  return `
local k = import 'lib/builders.libsonnet';
local defaults = {
  local defaults = self,
  name: '${name}',
  namespace: error 'must provide namespace',
  version: '1.${index}.0',
  image: 'registry.example.com/${name}:v' + self.version,
  replicas: ${(index % 3) + 1},
  port: ${8000 + index},
  resources: { cpu: '100m', memory: '${128 + index}Mi' },
  commonLabels:: {
    'app.kubernetes.io/name': defaults.name,
    'app.kubernetes.io/version': defaults.version,
    'app.kubernetes.io/part-of': 'stack',
  },
  selectorLabels:: {
    [label]: defaults.commonLabels[label]
    for label in std.objectFields(defaults.commonLabels)
    if !std.setMember(label, ['app.kubernetes.io/version'])
  },
  mixin: { ruleLabels: { prometheus: 'k8s' }, _config: { ${name}Selector: 'job="${name}"', runbook: 'https://runbooks.example.com/${name}/%s' } },
};
function(params) {
  local c = self,
  _config:: defaults + params,
  assert std.isNumber(c._config.replicas),
  mixin:: (import 'mixins/${name}.libsonnet') { _config+:: c._config.mixin._config },
  deployment: k.deployment(c._config.name, c._config.namespace, c._config.selectorLabels, [
    k.container.new(c._config.name, c._config.image)
    + k.container.withPorts([['http', c._config.port], ['metrics', c._config.port + 1]])
    + k.container.withArgs(['--listen=:%d' % c._config.port, '--log.level=%s' % 'info'])
    + k.container.withResources(c._config.resources.cpu, c._config.resources.memory)
    + k.container.withEnv({ GOGC: 100 + ${index}, POD: c._config.name, TEAM: std.extVar('team') }),
  ]) + k.withReplicas(c._config.replicas) + k.withAnnotations({ checksum: std.md5(c._config.image) }),
  service: k.service(c._config.name, c._config.namespace, c._config.selectorLabels, [['http', c._config.port]]),
  serviceMonitor: {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: c.service.metadata { labels+: c._config.commonLabels },
    spec: {
      selector: { matchLabels: c._config.selectorLabels },
      endpoints: [{ port: 'http', interval: '30s', relabelings: [{ action: 'drop', regex: std.join('|', ['a', 'b', c._config.name]) }] }],
    },
  },
  prometheusRule: {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: c.service.metadata { name+: '-rules', labels+: c._config.mixin.ruleLabels },
    spec: {
      local withRunbook(rule) = rule {
        [if 'alert' in rule then 'annotations']+: { runbook_url: c._config.mixin._config.runbook % std.asciiLower(rule.alert) },
      },
      groups: std.map(
        function(g) g { rules: std.map(withRunbook, super.rules) },
        c.mixin.prometheusAlerts.groups + c.mixin.prometheusRules.groups
      ),
    },
  },
  dashboards: {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: c.service.metadata { name+: '-dashboards' },
    data: { [f]: std.manifestJsonEx(c.mixin.grafanaDashboards[f], '  ') for f in std.objectFields(c.mixin.grafanaDashboards) },
  },
}
`
}

function mixin(name: string, index: number): string {
  const alerts = Array.from(
    { length: 12 },
    (_, i) => `
          {
            alert: '${name}Alert${i}',
            expr: |||
              sum by (%(groupBy)s) (rate(${name}_errors_total{%(${name}Selector)s, code=~"${i}.."}[%(window)s]))
              / sum by (%(groupBy)s) (rate(${name}_requests_total{%(${name}Selector)s}[%(window)s])) > %(threshold)g
            ||| % ($._config { threshold: ${(i + 1) / 10} }),
            'for': '${i + 1}m',
            labels: { severity: if ${i} % 2 == 0 then 'warning' else 'critical' },
            annotations: { summary: '%s is failing.' % '${name}', description: '{{ $labels.instance }} of ${name} has %(window)s of errors.' % $._config },
          },`,
  ).join('')
  const panels = Array.from(
    { length: 16 },
    (_, i) => `
        d.${i % 3 === 0 ? 'stat' : 'graph'}('Panel ${i}', ['sum(rate(${name}_metric_${i}{%s}[5m]))' % $._config.${name}Selector, 'max(${name}_other_${i})'], width=${i % 3 === 0 ? 6 : 12})
        + d.withUnit('${i % 2 === 0 ? 'bytes' : 's'}') + d.withThreshold(${index + i}),`,
  ).join('')
  return `
local d = import 'lib/dashboards.libsonnet';
{
  _config+:: { ${name}Selector: error 'must provide selector', groupBy: std.join(', ', ['cluster', 'namespace']), window: '5m' },
  prometheusAlerts+:: { groups+: [{ name: '${name}', rules: [${alerts}
  ] }] },
  prometheusRules+:: {
    groups+: [{
      name: '${name}.rules',
      rules: [
        { record: '${name}:%s:rate%s' % [metric, window], expr: 'sum(rate(${name}_%s_total{%s}[%s]))' % [metric, $._config.${name}Selector, window] }
        for metric in ['requests', 'errors', 'bytes', 'retries']
        for window in ['1m', '5m', '30m', '1h', '6h']
      ],
    }],
  },
  grafanaDashboards+:: {
    '${name}-overview.json': d.dashboard('${name} / Overview', std.md5('${name}'), [${panels}
    ]) { tags+:: ['${name}'] },
    '${name}-detail.json': self['${name}-overview.json'] { title: '${name} / Detail', panels: std.filter(function(p) p.type == 'timeseries', super.panels) },
  },
}
`
}

const count = 24

/** Path → text. `main.jsonnet` takes the external variables `team` and `namespace`. */
export function monitoringTree(): ReadonlyMap<string, string> {
  const files = new Map([
    ['lib/builders.libsonnet', builders],
    ['lib/dashboards.libsonnet', dashboards],
  ])
  const names = Array.from({ length: count }, (_, i) => `component${String.fromCharCode(97 + i)}`)
  for (const [i, name] of names.entries()) {
    files.set(`components/${name}.libsonnet`, component(name, i))
    files.set(`mixins/${name}.libsonnet`, mixin(name, i))
  }
  const list = names.map(
    (name) =>
      `    ${name}: (import 'components/${name}.libsonnet')(stack.values.common + stack.values.${name}),`,
  )
  const values = names.map(
    (name, i) => `    ${name}: { replicas: ${i + 1}, resources+: { cpu: '${i}m' } },`,
  )
  files.set(
    'main.jsonnet',
    `
local base = {
  local stack = self,
  values+:: {
    common: { namespace: std.extVar('namespace') },
${values.join('\n')}
  },
  components: {
${list.join('\n')}
  },
};
local production = { values+:: { common+: { namespace: super.namespace + '-prod' } } };
local all = (base + production).components;
{
  ['%s-%s.json' % [name, part]]: all[name][part]
  for name in std.objectFields(all)
  for part in std.objectFields(all[name])
}
`,
  )
  return files
}
