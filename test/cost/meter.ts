// Loaded before each test file: tells how much processor time its worker used, and all that this one started and waited for.
import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Processor seconds of one test file. */
    cpuSeconds?: number
  }
}

/** Where workers are not made anew for each file, the next one counts from here. */
const counted = globalThis as { countedCpuSeconds?: number }

// biome-ignore lint/correctness/noEmptyPattern: the runner reads here which fixtures are wanted: none.
afterAll(({}, { meta }) => {
  const now = usedSeconds()
  Object.assign(meta, { cpuSeconds: now - (counted.countedCpuSeconds ?? 0) })
  counted.countedCpuSeconds = now
})

function usedSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childrenSeconds()
}

/** Only Linux tells it without a program of its own. */
function childrenSeconds(): number {
  if (process.platform !== 'linux') return 0
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number)
  return (user! + system!) / 100
}
