import type { ChartFiles } from './helm-charts.ts'

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

function text(lines: readonly string[]): string {
  return lines.join('\n') + '\n'
}

const helpers = (chart: string): string =>
  text([
    `{{- define "${chart}.name" -}}{{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}{{- end }}`,
    `{{- define "${chart}.fullname" -}}`,
    '{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}',
    '{{- else }}{{ printf "%s-%s" .Release.Name (default .Chart.Name .Values.nameOverride) | trunc 63 | trimSuffix "-" }}{{ end }}',
    '{{- end }}',
    `{{- define "${chart}.labels" -}}`,
    `app.kubernetes.io/name: {{ include "${chart}.name" . }}`,
    'app.kubernetes.io/instance: {{ .Release.Name }}',
    'helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}',
    '{{- with .Values.commonLabels }}',
    '{{ tpl (toYaml .) $ }}',
    '{{- end }}',
    '{{- end }}',
  ])

/** A group of alerts in a template of its own, with the braces of its expressions escaped. */
function ruleTemplate(group: number): string {
  const alerts = range(20).flatMap((i) => [
    `{{- if not (.Values.rules.disabled.Alert${group}x${i} | default false) }}`,
    `    - alert: Alert${group}x${i}`,
    '      annotations:',
    '        {{- with .Values.rules.annotations }}',
    '        {{- toYaml . | nindent 8 }}',
    '        {{- end }}',
    `        description: 'Job {{\`{{\`}} $labels.job {{\`}}\`}} of {{\`{{\`}} $labels.namespace {{\`}}\`}} fails for {{\`{{\`}} $value | humanizeDuration {{\`}}\`}}.'`,
    `        runbook_url: {{ .Values.rules.runbooks }}/alert${group}x${i}`,
    `        summary: Something of group ${group} is wrong.`,
    `      expr: sum by (job, namespace) (rate(errors_total{job="app-${i}",namespace=~"{{ $targetNamespace }}"}[5m])) > ${i}`,
    '      for: {{ dig "Alert" "for" "15m" (.Values.rules.custom | default dict) }}',
    '      {{- with .Values.rules.keepFiringFor }}',
    '      keep_firing_for: "{{ . }}"',
    '      {{- end }}',
    '      labels:',
    `        severity: {{ dig "Alert" "severity" "${i % 2 === 0 ? 'warning' : 'critical'}" (.Values.rules.custom | default dict) }}`,
    '        {{- if or .Values.rules.labels .Values.rules.more }}',
    '        {{- with .Values.rules.labels }}',
    '        {{- toYaml . | nindent 8 }}',
    '        {{- end }}',
    '        {{- end }}',
    '{{- end }}',
  ])
  return text([
    '{{- $targetNamespace := .Values.rules.targetNamespace }}',
    `{{- if and (semverCompare ">=1.14.0-0" .Capabilities.KubeVersion.Version) .Values.rules.create .Values.rules.groups.group${group} }}`,
    'apiVersion: monitoring.example.com/v1',
    'kind: Rule',
    'metadata:',
    `  name: {{ printf "%s-%s" (include "stack.fullname" .) "group-${group}" | trunc 63 | trimSuffix "-" }}`,
    '  namespace: {{ .Release.Namespace }}',
    '  labels:',
    '{{ include "stack.labels" . | indent 4 }}',
    'spec:',
    '  groups:',
    `  - name: group-${group}`,
    '    rules:',
    ...alerts,
    '{{- end }}',
  ])
}

/** A dashboard: JSON of some 40 KB in one line of a ConfigMap. */
function dashboardTemplate(index: number): string {
  const panels = range(60).map((i) => ({
    id: i,
    title: `Panel ${i} of dashboard ${index}`,
    type: 'timeseries',
    gridPos: { h: 7, w: 12, x: (i % 2) * 12, y: Math.floor(i / 2) * 7 },
    fieldConfig: {
      defaults: { unit: 'short', custom: { fillOpacity: 0, showPoints: 'never' } },
      overrides: [],
    },
    options: { legend: { displayMode: 'table', placement: 'right' }, tooltip: { mode: 'single' } },
    targets: [
      {
        expr: `sum(rate(requests_total{cluster="$cluster",namespace="$namespace",pod=~"app-${i}.*"}[$__rate_interval])) by (pod)`,
        legendFormat: '__auto',
        refId: 'A',
      },
    ],
  }))
  const json = JSON.stringify({ title: `Dashboard ${index}`, uid: `uid${index}`, panels })
  return text([
    '{{- if and .Values.dashboards.enabled (not (has ' +
      `"d${index}" .Values.dashboards.disabled)) }}`,
    'apiVersion: v1',
    'kind: ConfigMap',
    'metadata:',
    '  namespace: {{ .Values.dashboards.namespace | default .Release.Namespace }}',
    `  name: {{ printf "%s-%s" (include "stack.fullname" .) "d${index}" | trunc 63 | trimSuffix "-" }}`,
    '  labels:',
    '    {{- if .Values.dashboards.label }}',
    '    {{ .Values.dashboards.label }}: {{ ternary "1" "0" .Values.dashboards.enabled | quote }}',
    '    {{- end }}',
    '{{ include "stack.labels" . | indent 4 }}',
    'data:',
    `  d${index}.json: |-`,
    `    ${json.replaceAll('{{', '{{`{{`}}')}`,
    '{{- end }}',
  ])
}

function workload(chart: string): string {
  return text([
    'apiVersion: apps/v1',
    'kind: Deployment',
    'metadata:',
    `  name: {{ include "${chart}.fullname" . }}`,
    '  namespace: {{ .Release.Namespace }}',
    '  labels:',
    `    {{- include "${chart}.labels" . | nindent 4 }}`,
    'spec:',
    '  replicas: {{ .Values.replicas }}',
    '  selector:',
    `    matchLabels: {app.kubernetes.io/name: {{ include "${chart}.name" . }}}`,
    '  template:',
    '    metadata:',
    '      annotations:',
    `        checksum/config: {{ include (print $.Template.BasePath "/configmap.yaml") . | sha256sum }}`,
    '      labels:',
    `        {{- include "${chart}.labels" . | nindent 8 }}`,
    '    spec:',
    '      {{- with .Values.affinity }}',
    '      affinity:',
    '        {{- toYaml . | nindent 8 }}',
    '      {{- end }}',
    '      containers:',
    '      {{- range $i := until 3 }}',
    '      - name: c{{ $i }}',
    '        image: "{{ $.Values.global.registry | default $.Values.image.registry }}/{{ $.Values.image.repository }}:{{ $.Values.image.tag | default $.Chart.AppVersion }}"',
    '        env:',
    '        {{- range $name, $value := $.Values.env }}',
    '        - {name: {{ $name }}, value: {{ tpl $value $ | quote }}}',
    '        {{- end }}',
    '        resources:',
    '          {{- toYaml $.Values.resources | nindent 10 }}',
    '      {{- end }}',
  ])
}

const values = [
  'replicas: 2',
  'image: {registry: registry.example.com, repository: team/app, tag: ""}',
  'commonLabels: {team: platform, owner: "{{ .Release.Name }}"}',
  'resources: {limits: {cpu: 200m, memory: 128Mi}, requests: {cpu: 100m, memory: 64Mi}}',
  'affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}',
  'env: {A: "1", NS: "{{ .Release.Namespace }}", C: "{{ .Chart.Name }}", D: plain}',
  'global: {registry: ""}',
]

function subchart(name: string): readonly (readonly [string, string])[] {
  const below = `stack/charts/${name}/`
  return [
    [
      below + 'Chart.yaml',
      text(['apiVersion: v2', `name: ${name}`, 'version: 1.0.0', 'appVersion: "2.0"']),
    ],
    [below + 'values.yaml', text(values)],
    [below + 'templates/_helpers.tpl', helpers(name)],
    [below + 'templates/deployment.yaml', workload(name)],
    [
      below + 'templates/configmap.yaml',
      text([
        'apiVersion: v1',
        'kind: ConfigMap',
        `metadata: {name: {{ include "${name}.fullname" . }}, namespace: {{ .Release.Namespace }}}`,
        'data:',
        '  values.yaml: |',
        '    {{- toYaml .Values | nindent 4 }}',
      ]),
    ],
    ...range(6).map((i): readonly [string, string] => [
      `${below}templates/role-${i}.yaml`,
      text([
        'apiVersion: rbac.authorization.k8s.io/v1',
        'kind: Role',
        'metadata:',
        `  name: {{ include "${name}.fullname" . }}-${i}`,
        '  labels: {{- include "' + name + '.labels" . | nindent 4 }}',
        'rules:',
        ...range(10).map(
          (k) =>
            `- {apiGroups: [g${k}.example.com], resources: [r${k}], verbs: [get, list, watch]}`,
        ),
      ]),
    ]),
  ]
}

const names = ['agent', 'gateway', 'exporter', 'viewer', 'operator']

/**
 * A large chart with five subcharts, rules with many escaped braces, and dashboards of much text, as the charts of whole
 * monitoring stacks have them: some two megabytes of output.
 */
export function stackChart(): ChartFiles {
  const groups = range(35)
  return new Map([
    [
      'stack/Chart.yaml',
      text([
        'apiVersion: v2',
        'name: stack',
        'version: 5.0.0',
        'appVersion: "1.0"',
        'dependencies:',
        ...names.map((name) => `- {name: ${name}, version: 1.x.x, condition: ${name}.enabled}`),
      ]),
    ],
    [
      'stack/values.yaml',
      text([
        ...values,
        'rules:',
        '  create: true',
        '  targetNamespace: ".*"',
        '  runbooks: https://runbooks.example.com',
        '  disabled: {}',
        '  annotations: {team: platform}',
        '  labels: {cluster: main}',
        '  groups: {' + groups.map((i) => `group${i}: true`).join(', ') + '}',
        'dashboards: {enabled: true, label: dashboard, disabled: []}',
        ...names.map((name) => `${name}: {enabled: true, replicas: 3}`),
      ]),
    ],
    ['stack/templates/_helpers.tpl', helpers('stack')],
    ...groups.map((i): readonly [string, string] => [
      `stack/templates/rules/group-${i}.yaml`,
      ruleTemplate(i),
    ]),
    ...range(30).map((i): readonly [string, string] => [
      `stack/templates/dashboards/d${i}.yaml`,
      dashboardTemplate(i),
    ]),
    ...names.flatMap(subchart),
  ])
}
