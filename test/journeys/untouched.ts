import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { type Fingerprint, git, userFingerprint } from '../contract/user-repository.ts'

export interface Before {
  print: Fingerprint
  status: string
  tip: string
  branch: string
}

export function before(repo: string, branch: string): Before {
  const print = userFingerprint(repo)
  return { print, status: git(repo, 'status', '--porcelain'), tip: tipOf(print, branch), branch }
}

/** The commit of a branch; nothing when it is not there. */
const tipOf = ({ refs }: Fingerprint, branch: string): string =>
  refs
    .split('\n')
    .find((line) => line.includes(` refs/heads/${branch} `))
    ?.split(' ')[0] ?? ''

/** Nothing of the user's is different, but for a fast-forward of the target to commits of ours, and their notes. */
export function expectUntouched(repo: string, { print, status, tip, branch }: Before): void {
  const now = userFingerprint(repo)
  const landed = tip !== '' && tipOf(now, branch) !== tip
  if (!landed) {
    expect(now).toEqual(print)
    return
  }
  const { refs, index: _, files: __, ...rest } = now
  const { refs: refsBefore, index: ___, files: ____, ...restBefore } = print
  expect(rest).toEqual(restBefore)
  expect(others(refs, branch)).toEqual(others(refsBefore, branch))
  expect(git(repo, 'status', '--porcelain')).toEqual(status)
  git(repo, 'merge-base', '--is-ancestor', tip, branch)
  for (const commit of git(repo, 'rev-list', `${tip}..${branch}`).split('\n')) expect(saidBy(repo, commit)).not.toBe('')
}

/** Of which story a commit is: by its own trailer, or by the note of an earlier commit of a story. */
function saidBy(repo: string, commit: string): string {
  const said = ['%(trailers:key=Ropewalk-Story,valueonly,separator=%x2C)', '%N'].join('%x00')
  const [story = '', note = ''] = git(repo, 'show', '-s', '--notes=ropewalk', `--format=${said}`, commit).split('\0')
  return story || (note.includes('ropewalk_part_of') ? note : '')
}

const others = (refs: string, branch: string): string[] =>
  refs
    .split('\n')
    .filter((line) => ![` refs/heads/${branch} `, ' refs/notes/ropewalk '].some((ref) => line.includes(ref)))

/** Everything alive that was started for this home: drivers by their home, agents and checks by their mark. */
export function processesOf(home: string): { pid: number; command: string }[] {
  const tag = createHash('sha256').update(home).digest('hex').slice(0, 12)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const environment = read(`/proc/${name}/environ`).split('\0')
      const ours = environment.some((one) => one === `ROPEWALK_HOME=${home}` || one.startsWith(`ROPEWALK_MARK=${tag}:`))
      return ours ? [{ pid: Number(name), command: read(`/proc/${name}/cmdline`).replaceAll('\0', ' ') }] : []
    })
}

/** Somebody else's process, or one that has just ended, has nothing to say. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
