// Fills the pool, has a copy made ahead and takes it; it is killed at a named moment, or while set-up runs.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filePool } from '../../../src/adapters/pool-files/pool.ts'
import { crashPoints } from '../../../src/std/crash-point.ts'
import { placeIn, plain, project } from './rig.ts'

const [home = '', place = '', moment] = process.argv.slice(2)
const pool = filePool(
  home,
  crashPoints(moment, () => process.kill(process.pid, 'SIGKILL')),
)
const key = (await pool.keyOf(place, { run: 'npm ci', reads: [], environment: 'here' }))!
const make = async () => {
  mkdirSync(join(place, 'node_modules'))
  writeFileSync(join(place, 'node_modules/half'), '')
  if (moment !== undefined) return { ok: true }
  process.stdout.write('making\n')
  setInterval(() => {}, 1_000)
  return await new Promise<{ ok: boolean }>(() => {})
}
await pool.fill({ ...plain, key, place, make })
await pool.take({ ...plain, key, place: placeIn(home, 'second', project), ahead: true })
while (!readdirSync(join(home, 'pools', key)).some((name) => name.startsWith('spare-')))
  await new Promise((later) => setTimeout(later, 10))
await pool.take({ ...plain, key, place: placeIn(home, 'third', project) })
