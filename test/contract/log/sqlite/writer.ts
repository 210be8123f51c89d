import { fileBlobs } from '../../../../src/adapters/blobs-files/blobs.ts'
import { openSqliteLog } from '../../../../src/adapters/log-sqlite/log.ts'

// A process that appends to one delivery, and says each version as soon as it is acknowledged.

const [home = '', delivery = '', count = '0'] = process.argv.slice(2)
const log = await openSqliteLog(home, fileBlobs(home))
let version = (await log.read(delivery, 0)).length
for (let done = 0; done < Number(count); ) {
  const event = { type: 'ConcernRaised', story: null, text: `${process.pid}:${done}` } as const
  const events = [{ at: 1, actor: 'writer', cause: null, event }]
  const result = await log.append({ delivery, expected: version, events, fence: null, slots: [] })
  if (result.status === 'conflict') version = result.version
  if (result.status !== 'appended') continue
  version++
  done++
  process.stdout.write(`${version}\n`)
}
await log.close()
