import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { machineProcesses, openForest, type Processes, psProcesses } from './tree.ts'

const machine = machineProcesses()
const mark = `tree-test.${process.pid}.`

it('never signals a pid that is somebody else’s by now', async () => {
  const bystander = sleeper(`${mark}stale.`)
  const found = machine.find(pidOf(bystander))
  expect(found).not.toBe(null)
  const stale = { ...found!, start: found!.start - 1 }
  await openForest(seenOnce([stale]), 1).sweep(`${mark}stale.`)
  await sleep(50)
  expect(bystander.signalCode).toBe(null)
})

it('never signals a process whose mark is not there when it is read again', async () => {
  const bystander = sleeper('somebody-else')
  const found = machine.find(pidOf(bystander))
  let reads = 0
  const processes = { ...seenOnce([found!]), variable: () => ({ value: reads++ === 0 ? mark : 'somebody-else' }) }
  await openForest(processes, 1).sweep(mark)
  await sleep(50)
  expect(reads).toBe(2)
  expect(bystander.signalCode).toBe(null)
})

it('never takes a foreign session for ours because its number is used again', async () => {
  const bystander = sleeper('somebody-else')
  const pid = pidOf(bystander)
  const found = machine.find(pid)
  const processes: Processes = {
    ...machine,
    find: (asked) => (asked === pid ? { ...found!, start: 1 } : machine.find(asked)),
  }
  const tree = openForest(processes, 1).plant(pid, { mark: `${mark}reused.`, isWrapped: false })
  expect(await tree.end()).toBe(0)
  expect(bystander.signalCode).toBe(null)
})

it.each([
  ['/proc', machine],
  ['ps', psProcesses],
])('ends what carries the mark, found with %s', async (_, processes) => {
  const one = sleeper(`${mark}found.1`)
  const two = sleeper(`${mark}found.2`)
  const other = sleeper(`${mark}other.`)
  expect(await openForest(processes, 1_000).sweep(`${mark}found.`)).toBe(2)
  expect(await endOf(one)).toBe('SIGTERM')
  expect(await endOf(two)).toBe('SIGTERM')
  expect(other.signalCode).toBe(null)
})

/** A list that shows these once, as one that is out of date would. */
function seenOnce(processes: ReturnType<Processes['list']>['processes']): Processes {
  let looks = 0
  return { ...machine, list: () => ({ processes: looks++ === 0 ? processes : [], complete: true }) }
}

function sleeper(value: string): ChildProcess {
  const child = spawn('sleep', ['300'], { env: { ...process.env, ROPEWALK_MARK: value }, detached: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

const pidOf = (child: ChildProcess): number => child.pid ?? 0

const endOf = (child: ChildProcess): Promise<string | null> =>
  new Promise((resolve) => {
    if (child.signalCode !== null) resolve(child.signalCode)
    else child.once('exit', (_, signal) => resolve(signal))
  })
