// One bundle, split where main imports lazily, so that a verb loads only what it needs.
import { chmod, readdir, readFile, rm } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { build } from 'esbuild'

const { version } = JSON.parse(await readFile('package.json', 'utf8'))
// Where to, what alone, and whether with maps: `node scripts/build.mjs [folder] [program] [maps]`.
const [outdir = 'dist', only = null, maps = null] = process.argv.slice(2)

/**
 * What nearly every verb needs is one file each, however many parts need how much of it: a hundred small files cost
 * more to load than one large one. No group needs what is in none, so that nothing is there twice.
 */
const groups = { std: ['std'], law: ['delivery', 'ports', 'views', 'engine'] }

const settings = {
  bundle: true,
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
  minifySyntax: true,
  legalComments: 'none',
  sourcemap: maps === 'maps',
  logLevel: 'warning',
}
const programs = {
  main: async () => {
    for (const name of Object.keys(groups)) await buildGroup(name)
    const split = { splitting: true, outdir, chunkNames: 'part-[name]-[hash]' }
    await build({ ...settings, ...split, entryPoints: { main: 'src/main.ts' }, plugins: [grouping(undefined)] })
  },
  // Programs of their own, which share nothing with main, so that none loads a piece of another.
  'agent-builtin': () =>
    build({
      ...settings,
      outdir,
      splitting: true,
      entryPoints: { 'agent-builtin': 'src/adapters/agents/builtin/program.ts' },
      chunkNames: 'chunks/agent-[name]-[hash]',
      minify: true,
    }),
  submit: () => build({ ...settings, outdir, entryPoints: { submit: 'src/cli/submit.ts' }, minify: true }),
}
await rm(outdir, { recursive: true, force: true })
const wanted = only === null ? Object.keys(programs) : only.split(',')
for (const name of wanted) await programs[name]()
if (wanted.includes('main')) await chmod(`${outdir}/main.js`, 0o755)

async function buildGroup(name) {
  const found = await Promise.all(groups[name].map((room) => readdir(`src/${room}`, { recursive: true })))
  const files = found.flatMap((names, place) => names.map((file) => `./src/${groups[name][place]}/${file}`))
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  // No exported name is there twice in all of src.
  const contents = sources.map((file) => `export * from '${file}'`).join('\n')
  const stdin = { contents, resolveDir: '.' }
  await build({ ...settings, stdin, outfile: `${outdir}/${name}.js`, plugins: [grouping(name)] })
}

/** Imports what is in another group from its file. `own`: the group that is built, if it is one. */
function grouping(own) {
  const resolved = ({ path, resolveDir }) => {
    const file = relative('src', resolve(resolveDir, path))
    const group = Object.keys(groups).find((name) => groups[name].includes(file.split('/')[0]))
    if (group === own) return undefined
    if (group === undefined) return { errors: [{ text: `${own} needs ${file}, which is in no group` }] }
    return { path: `./${group}.js`, external: true }
  }
  return { name: 'groups', setup: ({ onResolve }) => onResolve({ filter: /^\.\.?\/.*\.ts$/ }, resolved) }
}
