import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Home } from './home.ts'

let home: Home
beforeEach(async () => {
  home = await Home.make()
})
afterEach(() => home.remove())

describe('other processes', () => {
  let writer: string
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ropewalk-writer-'))
    writer = join(folder, 'writer.mjs')
    await build({
      entryPoints: [new URL('writer.ts', import.meta.url).pathname],
      outfile: writer,
      bundle: true,
      format: 'esm',
      platform: 'node',
    })
    return () => rm(folder, { recursive: true, force: true })
  })

  const start = (delivery: string, count: number) => {
    const child = spawn(process.execPath, [writer, home.path, delivery, String(count)], {
      env: { NODE_PATH: join(process.cwd(), 'node_modules') },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (data) => {
      said += data
    })
    return { child, said: () => said.split('\n').slice(0, -1).map(Number) }
  }

  it('write at the same time, and no event is lost', async () => {
    await home.fill(11)
    const writers = [start('d1', 200), start('d1', 200)]
    expect(await Promise.all(writers.map(({ child }) => once(child, 'close')))).toEqual([
      [0, null],
      [0, null],
    ])
    const log = await home.open()
    const events = await log.read('d1', 0)
    expect(events).toHaveLength(411)
    const said = writers.flatMap((each) => each.said()).sort((a, b) => a - b)
    expect(said).toEqual(Array.from({ length: 400 }, (_, i) => i + 12))
    await log.close()
  })

  it('are killed in the middle of writing, again and again, and nothing acknowledged is lost', async () => {
    for (let time = 0; time < 8; time++) {
      const { child, said } = start('d1', 1_000_000)
      while (said().length < 20 + 13 * time) await once(child.stdout, 'data')
      child.kill('SIGKILL')
      await once(child, 'close')
      const acknowledged = said().at(-1)!
      const log = await home.open()
      const events = await log.read('d1', 0)
      expect(events.length).toBeGreaterThanOrEqual(acknowledged)
      expect(events.length).toBeLessThanOrEqual(acknowledged + 1)
      expect(await log.verify('d1')).toMatchObject({ status: 'intact', events: events.length })
      await log.close()
    }
  })
})
