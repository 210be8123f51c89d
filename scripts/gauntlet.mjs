// Generated rogues and honest twins against a built binary:
// npm run gauntlet -- --rogues 1000 --honest 300 --seed N --only <regex> --binary <path>
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'

const text = { type: 'string' }
const { values } = parseArgs({
  options: {
    rogues: { ...text, default: '1000' },
    honest: { ...text, default: '300' },
    seed: { ...text, default: String(Date.now() % 1_000_000) },
    only: { ...text, default: '' },
    binary: { ...text, default: 'dist/main.js' },
    valid: { type: 'boolean', default: false },
    dry: { type: 'boolean', default: false },
    loud: { type: 'boolean', default: false },
  },
})
process.env.ROPEWALK_BINARY = resolve(values.binary)

const folder = mkdtempSync(join(tmpdir(), 'ropewalk-generated-'))
const { runnersHere, generate, judge, whyInvalid, openScore } = await load()
const { seed } = values
const wanted = { seed: Number(seed), rogues: Number(values.rogues), honest: Number(values.honest) }
const only = new RegExp(values.only)
const cases = mixed(
  generate({ ...wanted, runners: runnersHere({ install: true }) }).filter(({ name }) => only.test(name)),
)
console.log(`seed ${seed}: ${cases.length} cases`)

const score = openScore()
const table = new Map()
// Stopped by hand, it tells what it has seen so far.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (cases.length = 0))
if (values.dry) for (const one of cases) console.log(`${one.expect} ${one.name}`)
else await Promise.all([worker(), worker()])
rmSync(folder, { recursive: true, force: true })

console.log('\nescaped or blocked, by mechanism and operator:')
for (const [key, count] of [...table].sort(([a], [b]) => a.localeCompare(b))) console.log(`${count}\t${key}`)
console.log('\nby mechanism:')
for (const line of score.lines()) console.log(line)
process.exitCode = score.count('escaped') + score.count('blocked') === 0 ? 0 : 1

async function worker() {
  for (let one = cases.shift(); one !== undefined; one = cases.shift()) {
    const { end, why } = await (values.valid ? onlyValid(one) : judge(one)).catch((error) => ({
      end: 'invalid',
      why: String(error),
    }))
    score.add(one.mechanism, end)
    if (end === 'invalid' || values.loud) console.log(`${end}: ${one.name}: ${why}`)
    if (end !== 'escaped' && end !== 'blocked') continue
    const key = `${end}\t${one.mechanism}\t${one.operator}`
    table.set(key, (table.get(key) ?? 0) + 1)
    const exactly = `^${one.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
    const counts = `--rogues ${values.rogues} --honest ${values.honest}`
    console.log(`${end}: ${one.name}\n  npm run gauntlet -- --seed ${seed} ${counts} --loud --only '${exactly}'`)
  }
}

/** Whether it is what it claims to be, without the binary. */
async function onlyValid(one) {
  const why = await whyInvalid(one)
  return why === null ? { end: one.expect === 'passes' ? 'passed' : 'caught', why: '' } : { end: 'invalid', why }
}

/** Rogues and twins in turn, so that a run that is stopped has seen both. */
function mixed(all) {
  const kinds = ['caught', 'passes'].map((expect) => all.filter((one) => one.expect === expect))
  const ranked = kinds.flatMap((kind) => kind.map((one, index) => ({ one, rank: index / kind.length })))
  return ranked.sort((a, b) => a.rank - b.rank).map(({ one }) => one)
}

/** The generator is TypeScript, like the tests. */
async function load() {
  const outfile = join(folder, 'generated.mjs')
  const names = ['generated/runners', 'generated/generate', 'generated/judge', 'score']
  const lines = names.map((name) => `export * from './test/gauntlet/${name}.ts'`)
  const stdin = { contents: lines.join('\n'), resolveDir: process.cwd() }
  const banner = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', banner, logLevel: 'warning' })
  return await import(pathToFileURL(outfile).href)
}
