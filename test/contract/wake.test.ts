import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freshId, systemClock } from '../../src/adapters/clock-system/clock.ts'
import { fileWake } from '../../src/adapters/wake-files/wake.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'ropewalk-wake-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

/** A program that uses the wake of the home; resolves when it has ended by itself. */
async function inAnotherProcess(program: string): Promise<string> {
  const source = new URL('../../src/adapters/wake-files/wake.ts', import.meta.url).pathname
  const outfile = join(home, 'program.mjs')
  const contents = `import { fileWake } from ${JSON.stringify(source)}\nconst wake = fileWake(process.argv[2])\n${program}`
  await build({ stdin: { contents, resolveDir: home }, outfile, bundle: true, format: 'esm', platform: 'node' })
  return (await promisify(execFile)(process.execPath, [outfile, home])).stdout
}

describe('wake by files', () => {
  it('is heard in this process and from another, each time, until the listener stops', async () => {
    const wake = fileWake(home)
    for (const ring of [() => wake.ring('d1'), () => wake.ring('d1'), () => inAnotherProcess(`wake.ring('d1')`)]) {
      let stop = () => {}
      await new Promise<void>((resolve) => {
        stop = wake.listen('d1', resolve)
        ring()
      })
      stop()
    }
  })

  it('is heard by those who listen to that delivery, and by no other', async () => {
    const wake = fileWake(home)
    const heard: string[] = []
    const stops = ['d2', 'd3'].map((id) => wake.listen(id, () => heard.push(id)))
    stops[1]!()
    await new Promise<void>((resolve) => {
      stops.push(wake.listen('d1', resolve))
      for (const id of ['d3', 'd4', 'd1']) wake.ring(id)
    })
    expect(heard).toEqual([])
    for (const stop of stops) stop()
  })

  it('keeps no process alive', async () => {
    expect(await inAnotherProcess(`wake.listen('d1', () => {}); console.log('listening')`)).toBe('listening\n')
  })

  it('never throws, even when its folder cannot be', async () => {
    await writeFile(join(home, 'wake'), 'a file')
    const wake = fileWake(home)
    const stop = wake.listen('d1', () => {})
    wake.ring('d1')
    wake.ring('../escape')
    stop()
  })
})

describe('the clock of the machine', () => {
  it('waits until the instant, or until it is called off', async () => {
    const clock = systemClock()
    const { signal } = new AbortController()
    const at = clock.now() + 20
    await clock.until(at, signal)
    expect(clock.now()).toBeGreaterThanOrEqual(at)
    await clock.until(clock.now() - 1000, signal)
    const called = new AbortController()
    const waiting = clock.until(clock.now() + 1e12, called.signal)
    called.abort()
    await waiting
    await clock.until(clock.now() + 1e12, called.signal)
  })

  it('gives ids that sort by time and do not collide', () => {
    const ids = Array.from({ length: 10_000 }, freshId)
    expect(new Set(ids).size).toBe(10_000)
    for (const id of ids) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{26}$/)
    const times = ids.map((id) => id.slice(0, 10))
    expect(times).toEqual(times.toSorted())
  })
})
