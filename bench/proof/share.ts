import type { Figure } from '../figure.ts'
import { deliver, exported, inYard, script } from '../yard.ts'

const [files, fileMs, promised] = [40, 1_500, 25]

type Entry =
  | { at: number; event: { type: 'StepStarted'; step: { id: string; judge?: string } } }
  | { at: number; event: { type: 'Judged'; step: string; verdict: { proof: { durationMs: number } | null } } }

/** One story with a test, in a suite of a minute: what is added by breaking the product, beside one run of the suite. */
export async function benchShare(): Promise<Figure[]> {
  const plan = { stories: 1, chained: false, agents: 1, agent, settings }
  const entries = await inYard(plan, async (folder) => {
    await script(folder, suite())
    await deliver(folder)
    return exported<Entry>(folder)
  })
  const added = tookOf(entries, 'sensitivity') + tookOf(entries, 'witness')
  const whole = tookOf(entries, 'check:test')
  const share = (100 * added) / whole
  return [
    {
      name: `sensitivity and witness of one story together, beside one run of a suite of ${files} test files of ${fileMs / 1_000} s (one run)`,
      ours: `${(added / 1_000).toFixed(1)} s`,
      bare: `${(whole / 1_000).toFixed(1)} s`,
      ratio: `${share.toFixed(0)} %`,
      promised: `at most ${promised} %`,
      kept: share <= promised,
    },
  ]
}

/** From the start of the first such step to its end, with all that its places cost. */
function tookOf(entries: Entry[], judge: string): number {
  for (const { at, event } of entries) {
    if (event.type !== 'StepStarted' || event.step.judge !== judge) continue
    const end = entries.find((one) => one.event.type === 'Judged' && one.event.step === event.step.id)
    if (end !== undefined) return end.at - at
  }
  throw new Error(`${judge} was not asked`)
}

const settings = () => ({ checks: { test: { run: 'npm test' } } })

const test = (name: string): string => `import { test } from 'node:test'
import assert from 'node:assert'
import { ${name}Of } from '../src/${name}.js'
test('${name}', async () => {
  await new Promise((done) => setTimeout(done, ${fileMs}))
  assert.equal(${name}Of(2), 4)
  assert.equal(${name}Of(-1), 0)
})
`

const code = (name: string): string => `export function ${name}Of(count) {
  if (count < 0) return 0
  return count * 2
}
`

const write = (path: string, text: string): string => `mkdir -p $(dirname ${path}); cat > ${path} <<'END'\n${text}END\n`

function suite(): string {
  const names = Array.from({ length: files }, (_, n) => `old${n}`)
  const all = names.map((name) => write(`src/${name}.js`, code(name)) + write(`test/${name}.test.js`, test(name)))
  const manifest = JSON.stringify({ type: 'module', scripts: { test: 'node --test --test-concurrency=1 test/' } })
  return `cd repository\n${write('package.json', `${manifest}\n`)}${all.join('')}git add -A\ngit commit -qm suite`
}

const agent = ['sh', '-c', `${write('src/extra.js', code('extra'))}${write('test/extra.test.js', test('extra'))}`]
