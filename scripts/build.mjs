// One bundle, split where main imports lazily, so that a verb loads only what it needs.
import { chmod, readFile, rm } from 'node:fs/promises'
import { build } from 'esbuild'

const { version } = JSON.parse(await readFile('package.json', 'utf8'))
// Where to, what alone, and whether with maps: `node scripts/build.mjs [folder] [program] [maps]`.
const [outdir = 'dist', only = null, maps = null] = process.argv.slice(2)
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
  sourcemap: maps === 'maps',
  logLevel: 'warning',
}
const programs = {
  main: () => build({ ...settings, entryPoints: { main: 'src/main.ts' } }),
  // Programs of their own, which share nothing with main, so that none loads a piece of another.
  'agent-builtin': () =>
    build({
      ...settings,
      entryPoints: { 'agent-builtin': 'src/adapters/agents/builtin/program.ts' },
      chunkNames: 'chunks/agent-[name]-[hash]',
      minify: true,
    }),
  submit: () => build({ ...settings, entryPoints: { submit: 'src/cli/submit.ts' }, splitting: false, minify: true }),
}
await rm(outdir, { recursive: true, force: true })
const wanted = only === null ? Object.keys(programs) : only.split(',')
for (const name of wanted) await programs[name]()
if (wanted.includes('main')) await chmod(`${outdir}/main.js`, 0o755)
