// Repositories before their first commit. Made once and copied, since each process of git takes its time.
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** As `git init` leaves it, with Grace as its user. */
export function beginRepository(path: string, branch = 'main'): void {
  empty ??= makeEmpty()
  cpSync(empty, path, { recursive: true })
  writeFileSync(join(path, '.git/HEAD'), `ref: refs/heads/${branch}\n`)
}

export function write(folder: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
}

let empty: string | undefined

function makeEmpty(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-empty-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  execFileSync('git', ['init', '-q', folder], { env })
  appendFileSync(join(folder, '.git/config'), '[user]\n\tname = Grace\n\temail = grace@example.org\n')
  return folder
}
