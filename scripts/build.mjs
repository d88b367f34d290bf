// `npm run build`: JavaScript by tsup and esbuild, declarations by tsc, into packages/*/dist.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { environment, node, root, run, setup } from './setup.mjs'

setup()
for (const name of ['core', 'k8s-adapter', 'controller', 'cli']) {
  rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
}
const env = environment()
run('tsup', ['--silent'], { env })
run('tsc', ['-b', 'packages/cli'], { env })
run(node, ['scripts/bundle-cli.mjs'], { env })
