// Builds the binary once before the tests that start it, when it is missing or older than its source.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

export default function build(): void {
  if (process.env.ROPEWALK_BINARY !== undefined) return
  const built = join('dist', 'main.js')
  if (existsSync(built) && statSync(built).mtimeMs >= newestIn('src')) return
  execFileSync(process.execPath, [join('scripts', 'build.mjs')], { stdio: 'inherit' })
}

function newestIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(...files.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs))
}
