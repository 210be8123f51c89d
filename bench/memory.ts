import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Figure } from './figure.ts'
import { inYard } from './yard.ts'

const binary = resolve(process.env.ROPEWALK_BINARY ?? 'dist/main.js')
const megabytes = 100
const loud = `head -c ${megabytes * 1_000_000} /dev/zero | tr '\\0' 'x' | fold -w 200; sleep 3; echo "$ROPEWALK_STORY" > "$ROPEWALK_STORY.txt"`
const quiet = 'sleep 3; echo "$ROPEWALK_STORY" > "$ROPEWALK_STORY.txt"'

/** The orchestrator's peak while 10 agents print 100 MB each, against 10 that print nothing. */
export async function benchMemory(): Promise<Figure[]> {
  const one = await peak(quiet, 1)
  const idle = await peak(quiet, 10)
  const busy = await peak(loud, 10)
  const grown = busy - idle
  const each = (idle - one) / 9
  return [
    {
      name: 'memory for each agent at work: 10 of them against one (one run)',
      ours: `${idle.toFixed(0)} MB`,
      bare: `${one.toFixed(0)} MB`,
      ratio: `+${each.toFixed(1)} MB each`,
      promised: 'less than 15 MB each',
      kept: each < 15,
    },
    {
      name: `memory while 10 agents print ${megabytes} MB each, against 10 silent ones (one run)`,
      ours: `${busy.toFixed(0)} MB`,
      bare: `${idle.toFixed(0)} MB`,
      ratio: `+${grown.toFixed(0)} MB`,
      promised: 'less than 60 MB more',
      kept: grown < 60,
    },
  ]
}

/** Peak resident memory of the process that drives, in MB, as the kernel counted it. */
function peak(line: string, agents: number): Promise<number> {
  return inYard({ stories: agents, chained: false, agents, agent: ['sh', '-c', line] }, (folder) => {
    const args = [binary, 'run', 'bench', '--plan', join(folder, 'plan.json'), '--gates', 'auto', '--unattended']
    const env = { ...process.env, ROPEWALK_HOME: join(folder, 'home') }
    const child = spawn(process.execPath, args, { cwd: join(folder, 'repository'), env, stdio: 'ignore' })
    let highest = 0
    const look = setInterval(() => {
      highest = Math.max(highest, highWater(child.pid!))
    }, 50)
    return new Promise<number>((done, failed) => {
      child.on('exit', (code) => {
        clearInterval(look)
        if (code === 0) done(highest)
        else failed(new Error(`the delivery exited with ${code}`))
      })
    })
  })
}

function highWater(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000
  } catch {
    return 0
  }
}
