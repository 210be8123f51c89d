// Fills the pool and says when it is in the middle of it; it is killed there.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filePool } from '../../../src/adapters/pool-files/pool.ts'

const [home = '', place = ''] = process.argv.slice(2)
const pool = filePool(home)
const key = (await pool.keyOf(place, { run: 'npm ci', reads: [], environment: 'here' }))!
await pool.fill({
  ...{ key, place, mark: 'test:pool', ahead: false, signal: new AbortController().signal, longestMs: 60_000 },
  keeping: (_bytes, keep) => keep(),
  make: async () => {
    writeFileSync(join(place, 'half'), '')
    process.stdout.write('making\n')
    setInterval(() => {}, 1_000)
    return await new Promise<{ ok: boolean }>(() => {})
  },
})
