import { globSync, readFileSync } from 'node:fs'
import { defineConfig, type Options } from 'tsup'

// The libraries; scripts/bundle-cli.mjs makes the command line. JavaScript only: declarations come from `tsc -b`, which
// understands isolatedDeclarations and is faster.
const common: Options = {
  format: ['esm'],
  target: 'es2024',
  splitting: true,
  sourcemap: false,
  clean: false,
  dts: false,
  esbuildOptions: (options) => {
    options.conditions = ['import']
  },
}

/** What a package depends on stays outside of its files; everything else it uses is bundled. */
function dependencies(name: string): (string | RegExp)[] {
  const text = readFileSync(`packages/${name}/package.json`, 'utf8')
  const { dependencies = {} } = JSON.parse(text) as { dependencies?: { [name: string]: string } }
  return Object.keys(dependencies).map((each) => new RegExp(`^${each}(/|$)`))
}

/** Every room is an entry, named by its folder. */
function rooms(name: string): { [entry: string]: string } {
  const src = `packages/${name}/src`
  return Object.fromEntries(
    globSync(`${src}/**/index.ts`).map((file) => [
      file.slice(src.length + 1).replace(/\.ts$/, ''),
      file,
    ]),
  )
}

export default defineConfig([
  {
    ...common,
    name: 'core',
    external: dependencies('core'),
    entry: rooms('core'),
    outDir: 'packages/core/dist',
    platform: 'neutral',
  },
  {
    ...common,
    name: 'k8s-adapter',
    external: dependencies('k8s-adapter'),
    entry: rooms('k8s-adapter'),
    outDir: 'packages/k8s-adapter/dist',
    platform: 'node',
  },
  {
    ...common,
    name: 'controller',
    external: dependencies('controller'),
    entry: { main: 'packages/controller/src/main.ts' },
    outDir: 'packages/controller/dist',
    platform: 'node',
  },
])
