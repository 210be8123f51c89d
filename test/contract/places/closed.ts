// A set-up that closes one of its folders: what becomes of it for a user who may not do everything.
import { chmodSync, linkSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { filePool } from '../../../src/adapters/pool-files/pool.ts'
import { placeIn, plain, project, write } from './rig.ts'

const [home = '', rights = ''] = process.argv.slice(2)
const pool = filePool(home)

async function ready(name: string): Promise<{ place: string; key: string; taken: boolean }> {
  const place = placeIn(home, name, project)
  const key = (await pool.keyOf(place, { run: 'npm ci', reads: [], environment: 'here' }))!
  const make = async () => {
    write(place, { 'node_modules/closed/a.js': 'a' })
    linkSync(join(home, 'store'), join(place, 'node_modules/closed/b.js'))
    chmodSync(join(place, 'node_modules/closed'), Number.parseInt(rights, 8))
    await pool.separate(place)
    return { ok: true }
  }
  return { place, key, taken: (await pool.fill({ ...plain, key, place, make })) === null }
}

async function told(): Promise<object> {
  write(home, { store: 'b' })
  const first = await ready('one')
  const { place, key, taken } = await ready('two')
  const mode = lstatSync(join(place, 'node_modules/closed')).mode & 0o777
  await pool.remove(key)
  const links = [first.place, place].map((one) => lstatSync(join(one, 'node_modules/closed/b.js')).nlink)
  return { taken, mode, links, left: readdirSync(join(home, 'pools')) }
}

process.stdout.write(JSON.stringify(await told().catch((error: unknown) => ({ failed: String(error) }))))
