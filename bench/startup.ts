import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Figure, interleaved, ms, timed } from './figure.ts'
import { fillLog } from './filled-log.ts'

const binary = resolve(process.env.ROPEWALK_BINARY ?? 'dist/main.js')

export async function benchStartup(): Promise<Figure[]> {
  const home = mkdtempSync(join(tmpdir(), 'ropewalk-bench-'))
  try {
    const delivery = await fillLog(home, 100_000)
    const env = { ...process.env, ROPEWALK_HOME: home }
    const node =
      (...args: string[]) =>
      () =>
        timed(() => spawnSync(process.execPath, args, { env, cwd: home }))
    const found = await interleaved({
      bare: node('-e', '0'),
      version: node(binary, '--version'),
      status: node(binary, 'status', '--delivery', delivery),
    })
    return [
      figure('`ropewalk --version` against `node -e 0`', 1.3, { ours: found.version!, bare: found.bare! }),
      figure('`ropewalk status` over 100,000 events against `node -e 0`', 2.5, {
        ours: found.status!,
        bare: found.bare!,
      }),
    ]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const figure = (name: string, most: number, { ours, bare }: { ours: number; bare: number }): Figure => ({
  name,
  ours: ms(ours),
  bare: ms(bare),
  ratio: `${(ours / bare).toFixed(2)} ×`,
  promised: `at most ${most} ×`,
  kept: ours / bare <= most,
})
