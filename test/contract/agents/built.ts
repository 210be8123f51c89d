import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** The built-in agent is tried as it is shipped: as a program of its own. */
export function setup(): void {
  const args = [join('scripts', 'build.mjs'), join('.cache', 'agents', 'builtin'), 'agent-builtin,submit']
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error('the build failed')
}
