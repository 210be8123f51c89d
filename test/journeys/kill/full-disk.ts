// A delivery whose home has so much room and no more, until somebody makes room.
import { execFileSync } from 'node:child_process'
import { mkdirSync, statfsSync } from 'node:fs'
import { exits, type Said } from '../binary.ts'
import type { Yard } from '../yard.ts'
import { type End, endOf } from './end.ts'
import { compared, finish, inOrder, type Row } from './matrix.ts'
import type { Walk } from './walk.ts'

/** At so many places, from the first write to the last; once there is room it has to come to the same end. */
export async function fullDisk(walk: Walk, places: number): Promise<{ rows: Row[]; calm: End }> {
  const { kb, calm } = await roomFor(walk)
  const sizes = Array.from({ length: places }, (_, i) => Math.floor((kb * (i + 0.5)) / places))
  return { rows: await inOrder(sizes, 2, (size) => cramped(walk, size, calm)), calm }
}

/** How much it takes where there is enough. */
async function roomFor(walk: Walk): Promise<{ kb: number; calm: End }> {
  const yard = walk.open()
  return await withRoom(yard, 512 * 1024, async () => {
    exits((await finish(yard, walk, { args: walk.args })).last, 0)
    const { blocks, bfree, bsize } = statfsSync(yard.home)
    return { kb: ((blocks - bfree) * bsize) / 1024, calm: await endOf(yard) }
  })
}

async function cramped(walk: Walk, kb: number, calm: End): Promise<Row> {
  const yard = walk.open()
  return await withRoom(yard, kb, async (grow) => {
    const { last } = await finish(yard, walk, { args: walk.args })
    const problems = last.code === 0 ? [] : complaints(last)
    grow()
    const goOn = async (args: string[]) => (await finish(yard, walk, { args })).last
    const resumed = last.code === 0 ? last : await goOn(['resume'])
    // Where not even the request found room, it is made again.
    const again = /no deliver/i.test(resumed.stderr + resumed.stdout) ? await goOn(walk.args) : resumed
    const row = await compared(yard, again, { point: `${kb} KB`, calm })
    return { ...row, problems: [...problems, ...row.problems] }
  })
}

/** Whoever reads it knows what is missing. */
function complaints({ code, stdout, stderr }: Said): string[] {
  const said = stdout + stderr
  if (/defect of Ropewalk|\n\s+at /.test(said)) return [`exit code ${code} as a defect of ours: ${said.slice(-600)}`]
  return /\bdisk\b|no space left/i.test(said)
    ? []
    : [`exit code ${code}, and not a word of the disk: ${said.slice(-600)}`]
}

/** A bubble of its own for the home; only root can. */
async function withRoom<T>(yard: Yard, kb: number, act: (grow: () => void) => Promise<T>): Promise<T> {
  mkdirSync(yard.home)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kb}k`, 'tmpfs', yard.home])
  try {
    return await act(() => void execFileSync('mount', ['-o', 'remount,size=512m', yard.home]))
  } finally {
    execFileSync('umount', ['-l', yard.home])
  }
}
