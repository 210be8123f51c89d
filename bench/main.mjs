// Bundles the benches and runs them: `npm run bench [-- name …] [-- --write]`. Prints both sides and their ratio.
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { build } from 'esbuild'

const outfile = resolve('.cache/bench/run.mjs')
await mkdir('.cache/bench', { recursive: true })
await build({
  entryPoints: ['bench/run.ts'],
  outfile,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: ['@photostructure/sqlite', '@ast-grep/*', '@secretlint/*'],
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  loader: { '.md': 'text' },
  logLevel: 'warning',
})
await import(outfile)
