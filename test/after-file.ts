// Loaded before each test file. The next one may come to the same process: it finds the environment and the folders of
// this machine as the first one did.
import { afterAll } from 'vitest'
import { removeFolders } from './folders.ts'

const environment = { ...process.env }

// Removing what was made durable takes its time on some disks.
afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  removeFolders()
}, 120_000)
