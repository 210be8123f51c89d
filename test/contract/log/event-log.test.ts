import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileBlobs } from '../../../src/adapters/blobs-files/blobs.ts'
import { openSqliteLog } from '../../../src/adapters/log-sqlite/log.ts'
import { memoryLog } from '../../log-memory/log.ts'
import { eventLogContract } from './event-log.ts'

eventLogContract('memory', async () => ({
  open: async () => memoryLog({ isAlive: ({ pid }) => pid === process.pid }),
  endedPid: async () => 1,
  close: async () => {},
}))

eventLogContract('sqlite', async () => {
  const home = await mkdtemp(join(tmpdir(), 'ropewalk-log-'))
  return {
    open: () => openSqliteLog(home, fileBlobs(home)),
    endedPid: async () => {
      const child = spawn('true')
      await once(child, 'exit')
      return child.pid!
    },
    close: () => rm(home, { recursive: true, force: true }),
  }
})
