// The front door of @litecd/core. Rooms are also reachable as subpaths, for instance @litecd/core/json.
export * from './errors/index.ts'
export * from './json/index.ts'
