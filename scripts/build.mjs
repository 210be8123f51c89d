// One bundle, split where main imports lazily, so that a verb loads only what it needs.
import { chmod, readFile, rm } from 'node:fs/promises'
import { build } from 'esbuild'

const { version } = JSON.parse(await readFile('package.json', 'utf8'))
// Where to, and what alone: `node scripts/build.mjs [folder] [program]`.
const [outdir = 'dist', only = null] = process.argv.slice(2)
const settings = {
  outdir,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: [
    '@ast-grep/lang-go',
    '@ast-grep/lang-python',
    '@ast-grep/lang-rust',
    '@ast-grep/napi',
    '@photostructure/sqlite',
  ],
  define: { ROPEWALK_VERSION: JSON.stringify(version) },
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  loader: { '.md': 'text' },
  chunkNames: 'chunks/[name]-[hash]',
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
}
await rm(outdir, { recursive: true, force: true })
if (only !== 'agent-builtin') {
  await build({ ...settings, entryPoints: { main: 'src/main.ts' } })
  await chmod(`${outdir}/main.js`, 0o755)
}
// A program of its own, which shares nothing with main, so that neither loads a piece of the other.
const builtin = { 'agent-builtin': 'src/adapters/agent-builtin/program.ts' }
await build({ ...settings, entryPoints: builtin, chunkNames: 'chunks/agent-[name]-[hash]', minify: true })
