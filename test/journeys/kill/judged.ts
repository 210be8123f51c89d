// A story that all judges have to run something for, killed in each of their runs.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Recorded } from '../../../src/ports/event-log.ts'
import { exits, type Running } from '../binary.ts'
import { story, Yard } from '../yard.ts'
import { type End, endOf, problemsOf } from './end.ts'
import { endAll, inOrder, type Row, resumed, withAll } from './matrix.ts'
import { turns, type Walk } from './walk.ts'

const cart = (more: string): string => `import { price } from './price.js'
export const total = (items) => items.reduce((sum, item) => sum + price(item), 0)
${more}`

const test = (more: string): string => `import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import * as cart from '../src/cart.js'
const items = JSON.parse(readFileSync('test/data.json', 'utf8'))
test('adds up', () => assert.equal(cart.total(items.slice(0, 2)), 7))
${more}`

const other = (name: string): string => `import assert from 'node:assert/strict'
import test from 'node:test'
test('${name} is there', () => assert.equal('${name}'.length, ${name.length}))
`

const files = {
  'package.json': JSON.stringify({ name: 'shop', type: 'module', scripts: { test: 'node --test' } }),
  'src/price.js': 'export const price = (item) => item.count * item.each\n',
  'src/cart.js': cart(''),
  'test/cart.test.js': test(''),
  'test/data.json': '[{"count":2,"each":2},{"count":1,"each":3}]\n',
  ...Object.fromEntries(['a', 'b', 'c'].map((name) => [`test/${name}.test.js`, other(name)])),
  'plan.yaml': JSON.stringify({ stories: [story('count')] }),
}

const counted = 'export const count = (items) => items.reduce((sum, item) => sum + item.count, 0)\n'
const countTest = "test('counts', () => assert.equal(cart.count(items), 7))\n"

/** By what it leaves in its place, a run says that it has begun. */
const line = (args: string): string => `touch .begun; sleep 0.2; node --test ${args}`

export const judged = (sandbox: 'none' | 'bwrap'): Walk => ({
  open: () =>
    new Yard({
      files,
      agent: `${turns}
cat > src/cart.js <<'END'\n${cart(counted)}END
cat > test/cart.test.js <<'END'\n${test(countTest)}END
echo '[{"count":2,"each":2},{"count":1,"each":3},{"count":4,"each":1}]' > test/data.json`,
      config: { sandbox, checks: { test: { run: line(''), related: line('{files}') } } },
    }),
  args: ['run', 'Make it so', '--plan', 'plan.yaml', '--unattended'],
  meanwhile: async () => {},
})

/** Of each two neighbours one is killed alone, and of the other all that it has started. */
export async function judgedRows(walk: Walk, isWanted: (run: string) => boolean): Promise<{ rows: Row[]; calm: End }> {
  const { calm, runs } = await undisturbed(walk)
  const all = runs.map((run, at) => ({ run, at, all: at % 2 === 0 }))
  const chosen = all.filter(({ run }) => isWanted(run))
  return { rows: await inOrder(chosen, 2, (kill) => killedIn(walk, kill, calm)), calm }
}

async function undisturbed(walk: Walk): Promise<{ calm: End; runs: string[] }> {
  const yard = walk.open()
  const running = yard.start(walk.args)
  const places = await watch(yard, running, Number.POSITIVE_INFINITY)
  exits(await running.done, 0)
  const calm = await endOf(yard)
  const problems = await problemsOf(yard, calm, calm)
  if (problems.length > 0) throw new Error(`undisturbed, and yet: ${problems.join('; ')}`)
  return { calm, runs: runsOf(places, calm.events) }
}

interface Kill {
  run: string
  /** How many runs come before it. */
  at: number
  /** With all that it has started. */
  all: boolean
}

async function killedIn(walk: Walk, { run, at, all }: Kill, calm: End): Promise<Row> {
  const yard = walk.open()
  const running = yard.start(walk.args)
  await watch(yard, running, at + 1)
  running.child.kill('SIGKILL')
  if (all) endAll(yard)
  const point = `${run}${all ? withAll : ''}`
  const { signal } = await running.done
  if (signal !== 'SIGKILL') return { point, turns: 0, problems: ['it was over before'] }
  return await resumed(yard, walk, { point, calm })
}

/** The places in which commands of judges have begun and that are not left yet. */
function begunIn({ home }: Yard): string[] {
  const folder = join(home, 'places')
  const listed = (path: string): string[] => readdirSync(path, { withFileTypes: true }).map(({ name }) => name)
  if (!existsSync(folder)) return []
  return listed(folder).flatMap((delivery) =>
    listed(join(folder, delivery)).filter(
      (name) => name.startsWith('Judge-') && existsSync(join(folder, delivery, name, '.begun')),
    ),
  )
}

/** Looks until so many runs have begun, or it is over; the place of each, in their order. */
async function watch(yard: Yard, running: Running, most: number): Promise<string[]> {
  const seen = new Set<string>()
  let over = false
  void running.done.finally(() => {
    over = true
  })
  while (!over && seen.size < most) {
    for (const place of begunIn(yard)) seen.add(place)
    await new Promise((look) => setTimeout(look, 15))
  }
  return [...seen]
}

/** What each of these places was for: the judge, and which of its runs. */
function runsOf(places: string[], events: Recorded[]): string[] {
  const judges = new Map(
    events.flatMap(({ event }) =>
      event.type === 'StepStarted' && event.step.verb === 'Judge' ? [[event.step.id, event.step] as const] : [],
    ),
  )
  return places.map((place) => {
    const [, id, run] = /^(Judge-[0-9a-f]+)-\d+(.*)$/.exec(place)!
    const { judge, scope } = judges.get(id!)!
    return [judge, ...(scope === 'story' ? [] : [scope]), run!.replace(/^-/, '')]
      .filter((word) => word !== '')
      .join(' ')
  })
}
