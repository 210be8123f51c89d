import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Elsewhere } from '../../../ports/shell.ts'
import { cachePlaces } from './tool-home.ts'

/** A larger one of the user's is not copied: what is needed of it is fetched again. */
const largestKb = 2_000_000

/**
 * Caches of our own for set-up commands, so that what those fetch is kept and the user's stay as they are. Each begins
 * as a copy of the user's.
 */
export async function ownCaches({ home, userHome }: { home: string; userHome: string }): Promise<Elsewhere[]> {
  const folder = join(home, 'caches')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const wanted = cachePlaces(userHome).map(({ name, at }) => ({ from: join(folder, name), at, write: true }))
  for (const one of wanted) if (!existsSync(one.from)) await seed(one)
  return wanted
}

/** Another process may do the same: who comes second finds it there. */
async function seed({ from, at }: Elsewhere): Promise<void> {
  const making = `${from}.making-${randomBytes(6).toString('hex')}`
  const kb = existsSync(at) ? Number.parseInt(await said('du', ['-sk', at]), 10) : Number.NaN
  if (kb <= largestKb) await said('cp', ['-a', '--reflink=auto', at, making])
  await mkdir(making, { recursive: true, mode: 0o700 })
  await rename(making, from).catch(() => rm(making, { recursive: true, force: true }))
}

function said(program: string, args: string[]): Promise<string> {
  return new Promise((done) => execFile(program, args, { maxBuffer: 1_000_000 }, (_, stdout) => done(stdout)))
}
