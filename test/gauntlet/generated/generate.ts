// Rogues and their honest twins, made from small pieces of honest work. Pure: the same seed makes the same cases.
import { type Case, type Mechanism, mechanisms } from '../case.ts'
import { type Chain, type ChainName, chains, type Style } from './chains.ts'
import type { Deed, Operators } from './deed.ts'
import { anew } from './operators/anew.ts'
import { apart } from './operators/apart.ts'
import { behind } from './operators/behind.ts'
import { deaf } from './operators/deaf.ts'
import { exit } from './operators/exit.ts'
import { forgiven } from './operators/forgiven.ts'
import { guard } from './operators/guard.ts'
import { reaches, reaching } from './operators/reach.ts'
import { sense } from './operators/sense.ts'
import { twins } from './operators/twins.ts'
import { witness } from './operators/witness.ts'
import { type Work, workOf } from './work.ts'

export interface Made extends Case {
  mechanism: Mechanism
  operator: string
  work: Work
  deed: Deed
}

export interface Wanted {
  seed: number
  rogues: number
  honest: number
  runners: ChainName[]
}

const reach: Operators = Object.fromEntries(
  Object.entries(reaches).flatMap(([name, one]) =>
    (one.by === undefined ? (['product', 'test', 'agent'] as const) : [one.by]).map((by) => [
      `by the ${by}: ${name}`,
      (work: Work) => reaching(work, one, by),
    ]),
  ),
)
type Families = Partial<Record<Mechanism, Operators>>
const rogues: Families = {
  guard,
  sensitivity: { ...deaf, ...forgiven, ...anew },
  witness: { ...apart, ...witness },
  confinement: reach,
  sensing: sense,
  exit: { ...exit, ...behind },
}

export function generate({ seed, rogues: bad, honest: good, runners }: Wanted): Made[] {
  const chance = dice(seed)
  const there = chains.filter(({ name }) => runners.includes(name))
  return [
    ...draw(rogues, bad, { chance, there, expect: 'caught' }),
    ...draw(twins, good, { chance, there, expect: 'passes' }),
  ]
}

interface Draw {
  chance: (below: number) => number
  there: Chain[]
  expect: 'caught' | 'passes'
}

/** Every operator once with each runner, in a chance order, before any comes again with another piece of work. */
function draw(families: Families, count: number, { chance, there, expect }: Draw): Made[] {
  const made = new Map<string, Made>()
  const known = mechanisms.flatMap((mechanism) =>
    Object.keys(families[mechanism] ?? {}).map((operator) => ({ mechanism, operator })),
  )
  const deck = known.flatMap((card) => there.map((chain) => ({ ...card, chain })))
  for (let round = 0; round < 40 && made.size < count; round += 1)
    for (const { mechanism, operator, chain } of evenly(shuffled(deck, chance))) {
      const styles: Style[] = ['direct', 'helper', 'fixture']
      const choice = { chain, style: styles[chance(3)]!, start: chance(6), story: chance(20) }
      const work = workOf(choice)
      const deed = families[mechanism]![operator]!(work)
      const name = `${mechanism}/${operator}/${chain.name}-${choice.style}-${choice.start}-${choice.story}`
      if (deed !== null && made.size < count) made.set(name, caseOf({ mechanism, operator, work, deed, name, expect }))
    }
  return [...made.values()]
}

/** One of each mechanism in turn, so that a few of them are of every kind. */
function evenly<T extends { mechanism: string }>(deck: T[]): T[] {
  const place = new Map<string, number>()
  const ranked = deck.map((card) => {
    const rank = place.get(card.mechanism) ?? 0
    place.set(card.mechanism, rank + 1)
    return { card, rank }
  })
  return ranked.sort((a, b) => a.rank - b.rank).map(({ card }) => card)
}

type Parts = Pick<Made, 'mechanism' | 'operator' | 'work' | 'deed' | 'name' | 'expect'>

function caseOf(parts: Parts): Made {
  const { work, deed, name } = parts
  const gone = { 'package.json': null, 'src/sum.js': null, 'test/sum.test.js': null }
  return {
    ...parts,
    code: 'FC14',
    agent: agentOf(work, deed),
    files: { ...gone, ...work.base, ...deed.base },
    settings: { check: deed.check ?? work.check, checkTimeoutMs: 60_000, sandbox: 'auto', ...lighter(parts) },
    stories: [{ id: work.added.name, ...(deed.mayChange === undefined ? {} : { mayChange: deed.mayChange }) }],
    name,
  }
}

/** Of what is reached: it shows itself when the agent works, or in the first run of a check; no other run tells more of it. */
function lighter({ mechanism, deed }: Parts): Case['settings'] {
  // How many of the changed lines are noticed matters to the witness alone: the others have a look at some of them.
  if (mechanism !== 'confinement') return mechanism === 'witness' ? {} : { limits: { breakages: 3 } }
  return deed.shell === undefined ? { mutation: 'off' } : { mutation: 'off', check: 'true', parser: 'exit-code' }
}

/** The whole of what changes: honest work, what is broken, and the deed. */
export function changesOf(work: Work, deed: Deed): Record<string, string | null> {
  return { ...work.done, ...(deed.sound ? {} : work.broken), ...deed.files }
}

function agentOf(work: Work, deed: Deed): string {
  const files = Object.entries(changesOf(work, deed)).filter(([path, text]) => text !== null || path in work.base)
  const lines = files.map(([path, text]) =>
    text === null
      ? path === 'src/lib.rs'
        ? ''
        : `rm -f '${path}'`
      : `mkdir -p "$(dirname '${path}')"; cat > '${path}' <<'END_OF_FILE'\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}END_OF_FILE`,
  )
  const shell =
    deed.shell === undefined
      ? []
      : [`cat > act.sh <<'END_OF_FILE'\n${deed.shell}\nEND_OF_FILE`, places, 'sh act.sh', 'rm act.sh']
  return [...lines, places, ...shell].join('\n')
}

/** Where things are is known only when it is played. */
const places = `grep -rlE '@YARD@|@REPO@' . --exclude-dir=.git | while read -r found; do sed -i "s#@YARD@#$YARD#g; s#@REPO@#$USER_REPO#g" "$found"; done`

function shuffled<T>(list: T[], chance: (below: number) => number): T[] {
  const mixed = [...list]
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = chance(last + 1)
    ;[mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!]
  }
  return mixed
}

function dice(seed: number): (below: number) => number {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
