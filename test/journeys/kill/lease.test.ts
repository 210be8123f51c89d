// A delivery that is being driven, and somebody who cannot see by whom.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { binary, exits, type Said, start, until } from '../binary.ts'
import { story, Yard } from '../yard.ts'

const agent = `: > "$HOME/begun"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo work > src/one.txt`

function inNamespace(yard: Yard): Promise<Said> {
  const args = ['--pid', '--fork', '--mount-proc', process.execPath, binary, 'resume']
  return start({ program: 'unshare', args, cwd: yard.repo, env: yard.env() }).done
}

/** As on a machine whose clock is two minutes ahead. */
function ahead(yard: Yard): Promise<Said> {
  const shift = join(yard.person, 'ahead.cjs')
  writeFileSync(shift, 'const now = Date.now; Date.now = () => now() + 120_000\n')
  return yard.start(['resume'], { env: { NODE_OPTIONS: `--require "${shift}"` } }).done
}

const mayUnshare = (() => {
  try {
    execFileSync('unshare', ['--pid', '--fork', '--mount-proc', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

const takers: [string, (yard: Yard) => Promise<Said>][] = [
  ...(mayUnshare ? [['from another pid namespace', inNamespace] as [string, typeof inNamespace]] : []),
  ['with a clock that is two minutes ahead', ahead],
]

describe('a delivery that somebody drives', () => {
  it.each(takers)('is not taken %s: it is watched, and goes on by itself', async (_name, taker) => {
    const yard = new Yard({ agent })
    const running = yard.start(yard.planArgs([story('one')]))
    await until(() => existsSync(join(yard.person, 'begun')))
    const said = await taker(yard)
    expect(said.code).not.toBe(0)
    expect(said.stdout + said.stderr).toMatch(/process \d+/)
    writeFileSync(join(yard.person, 'go'), '')
    exits(await running.done, 0)
    expect(yard.files()).toContain('src/one.txt')
    const workers = (await yard.eventsOf('StepStarted')).map(({ worker }) => worker)
    expect(new Set(workers).size).toBe(1)
  })
})
