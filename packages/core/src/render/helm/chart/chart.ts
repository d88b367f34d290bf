import type { JsonObject } from '../../../json/index.ts'
import { bytesToText } from '../../../text/index.ts'

/** A dependency as Chart.yaml writes it. */
export interface Dependency {
  readonly name: string
  readonly version: string
  readonly repository: string
  readonly condition: string
  readonly tags: readonly string[]
  /** Texts, or maps of child and parent. */
  readonly importValues: readonly unknown[]
  readonly alias: string
}

/** Chart.yaml, texts cleaned as Helm does. */
export interface Metadata {
  readonly name: string
  readonly home: string
  readonly sources: readonly string[]
  readonly version: string
  readonly description: string
  readonly keywords: readonly string[]
  readonly maintainers: readonly {
    readonly name: string
    readonly email: string
    readonly url: string
  }[]
  readonly icon: string
  readonly apiVersion: string
  readonly condition: string
  readonly tags: string
  readonly appVersion: string
  readonly deprecated: boolean
  /** Undefined where Chart.yaml has none. */
  readonly annotations: { readonly [key: string]: string } | undefined
  readonly kubeVersion: string
  /** Undefined where Chart.yaml has none, which is not the same as an empty list. */
  readonly dependencies: readonly Dependency[] | undefined
  readonly type: string
}

/** A file of a chart. */
export class ChartFile {
  /** Inside the chart, '/'-separated. */
  readonly name: string
  readonly bytes: Uint8Array
  private decoded: string | undefined

  constructor(name: string, bytes: Uint8Array) {
    this.name = name
    this.bytes = bytes
  }

  /** The text; bytes that are no UTF-8 become lone surrogates, see text/go-string. */
  get text(): string {
    this.decoded ??= bytesToText(this.bytes)
    return this.decoded
  }
}

/** A chart that has been read, with its subcharts. Nothing in it changes when it is rendered. */
export interface Chart {
  readonly metadata: Metadata
  /** Defaults, all documents of values.yaml merged. */
  readonly values: JsonObject
  readonly schema: ChartFile | undefined
  readonly templates: readonly ChartFile[]
  /** What `.Files` sees. */
  readonly files: readonly ChartFile[]
  /** Subcharts below charts/, in byte order of their folders. */
  readonly dependencies: readonly Chart[]
  /** Chart.lock or requirements.lock as it was written. */
  readonly lock: ChartFile | undefined
  /** What Helm writes to stderr while it reads the chart. */
  readonly warnings: readonly string[]
}
