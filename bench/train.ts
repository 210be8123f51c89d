import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Figure } from './figure.ts'
import { inYard, ropewalk } from './yard.ts'

const stories = 12
const suiteSeconds = 3
const most = Math.ceil(Math.log2(stories)) + 2

interface Ride {
  runs: number
  landed: number
  ms: number
}

/** 12 ready stories, one of them bad: how many runs of a slow suite until the other 11 have landed, and how long. */
export async function benchTrain(): Promise<Figure[]> {
  const all = Array.from({ length: stories }, (_, position) => position)
  const positions = process.argv.includes('--all') ? all : [0, 4, 7, 11]
  const rides = { one: [] as Ride[], two: [] as Ride[], single: [] as Ride[] }
  for (const bad of positions) {
    rides.one.push(await ride(bad, { checks: 1, train: stories }))
    rides.two.push(await ride(bad, { checks: 2, train: stories }))
    rides.single.push(await ride(bad, { checks: 2, train: 1 }))
  }
  const tried = `bad one at ${positions.map((position) => position + 1).join(', ')}`
  const landed = Math.min(
    ...Object.values(rides)
      .flat()
      .map((one) => one.landed),
  )
  const runs = Math.max(...rides.one.map((one) => one.runs))
  const ratio = Math.max(...rides.two.map(({ ms }, i) => ms / rides.single[i]!.ms))
  const [two, single] = [sum(rides.two), sum(rides.single)]
  return [
    {
      name: `${stories} ready stories, ${tried}: suite runs with one lane (worst)`,
      ours: `${runs} (${rides.one.map((one) => one.runs).join(', ')})`,
      bare: `${Math.max(...rides.single.map((one) => one.runs))} one by one`,
      ratio: '',
      promised: `at most ${most}, and ${stories - 1} land`,
      kept: runs <= most && landed === stories - 1,
    },
    {
      name: `the same with two lanes, a suite of ${suiteSeconds} s, against \`limits.train: 1\` (worst)`,
      ours: `${(two / positions.length / 1000).toFixed(1)} s`,
      bare: `${(single / positions.length / 1000).toFixed(1)} s`,
      ratio: `${ratio.toFixed(2)} ×`,
      promised: 'at most 0.45 ×',
      kept: ratio <= 0.45 && landed === stories - 1,
    },
  ]
}

const sum = (rides: Ride[]): number => rides.reduce((total, { ms }) => total + ms, 0)

/** The bad story is right alone and breaks the suite; its coder does better when it comes back. */
const agent = (bad: number): string[] => [
  'sh',
  '-c',
  `if [ -e broken ]; then rm broken; elif [ "$ROPEWALK_STORY" = s${bad} ]; then touch broken; fi; echo "$ROPEWALK_STORY" >> "$ROPEWALK_STORY.txt"`,
]

/** All stories are let through their gates at once: from then on it counts, until only the bad one is left. */
function ride(bad: number, limits: { checks: number; train: number }): Promise<Ride> {
  const settings = (folder: string) => ({
    land: 'each',
    checks: {
      test: {
        run: `echo run >> ${join(folder, 'runs')}; sleep ${suiteSeconds}; test ! -e broken`,
        full: 'merge',
        parser: 'exit-code',
      },
    },
    limits: { agents: 4, ...limits },
  })
  return inYard({ stories, chained: false, agents: 4, agent: agent(bad), settings }, async (folder) => {
    await proveBase(folder)
    await ropewalk(folder, ['run', 'bench', '--plan', join(folder, 'plan.json'), '--gates', 'manual'], waits)
    await ropewalk(folder, ['approve', 'plan-1'])
    await ropewalk(folder, ['resume'], waits)
    for (let n = 0; n < stories; n++) await ropewalk(folder, ['approve', `gate-s${n}-1`])
    const before = { runs: runsIn(folder), commits: commitsIn(folder) }
    const start = performance.now()
    await ropewalk(folder, ['resume'], waits)
    const ms = performance.now() - start
    return { runs: runsIn(folder) - before.runs, landed: commitsIn(folder) - before.commits, ms }
  })
}

/** It ends because a human is asked. */
const waits = [2]

/** A delivery before this one has landed: so what it is laid on is proven. */
async function proveBase(folder: string): Promise<void> {
  const plan = join(folder, 'first.json')
  writeFileSync(plan, JSON.stringify({ stories: [{ id: 'first', title: 'First' }] }))
  await ropewalk(folder, ['run', 'first', '--plan', plan, '--gates', 'auto', '--unattended'])
  rmSync(plan)
}

function runsIn(folder: string): number {
  const path = join(folder, 'runs')
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0
}

const commitsIn = (folder: string): number =>
  Number(
    spawnSync('git', ['rev-list', '--count', 'main'], { cwd: join(folder, 'repository'), encoding: 'utf8' }).stdout,
  )
