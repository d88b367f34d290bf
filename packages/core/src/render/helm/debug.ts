/** What `helm template --debug` tells besides. */
export interface RenderDebug {
  note(message: string, facts: { readonly [key: string]: string }): void
  /** The stream of what the templates gave, before anybody knows whether it is YAML. */
  rendered(text: string): void
}
