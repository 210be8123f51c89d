import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CommitId } from '../../delivery/ids.ts'
import { TransientError } from '../../ports/errors.ts'
import { asPathSegment } from '../../std/identifier.ts'
import { invariant } from '../../std/never.ts'
import { type Clone, inClone } from './clone.ts'
import { asCommit } from './commit.ts'
import { type GitCall, gitFailure, ourGit, singleLine } from './program/run.ts'
import { type Talk, talkTo } from './program/talk.ts'

export const noCommit = '0'.repeat(40)

const movesRefs = (gitDir: string): GitCall => ({ args: ['--git-dir', gitDir, 'update-ref', '--stdin'] })
const done = 'commit: ok\n'

export const openRefs = (prepare: (call: GitCall) => GitCall, gitDir: string): Talk<true> =>
  talkTo(
    () => prepare(movesRefs(gitDir)),
    (said) => {
      const at = said.indexOf(done)
      return at === -1 ? said.length + 1 : { answer: true, bytes: at + done.length }
    },
  )

export async function moveRef(
  clone: Clone,
  move: { ref: string; from: CommitId | null; to: CommitId },
): Promise<boolean> {
  const from = move.from === null ? noCommit : asCommit(move.from)
  await dropStaleLock(join(clone.gitDir, move.ref))
  const moved = await clone.refs.tryAsk(`start\nupdate ${asOurRef(move.ref)} ${asCommit(move.to)} ${from}\ncommit\n`)
  if ('answer' in moved) return true
  const present = await readRef(clone, move.ref)
  if (present === move.to) return true
  if (present === move.from || !isAnswer(moved.refused.stderr)) throw gitFailure(movesRefs(clone.gitDir), moved.refused)
  return false
}

export const readRef = async (clone: Clone, ref: string): Promise<CommitId | null> =>
  (await clone.objects.info(ref))?.id ?? null

export async function listRefs(clone: Clone, prefix: string): Promise<{ ref: string; commit: CommitId }[]> {
  const pattern = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix
  const output = await inClone(clone, ['for-each-ref', '--format=%(objectname) %(refname)', pattern])
  const lines = singleLine(output).split('\n').filter(Boolean)
  return lines.map((line) => ({ commit: line.slice(0, line.indexOf(' ')), ref: line.slice(line.indexOf(' ') + 1) }))
}

export async function deleteRef(clone: Clone, ref: string): Promise<void> {
  await clone.refs.ask(`start\ndelete ${asOurRef(ref)}\ncommit\n`)
}

/** Keeps a commit under `refs/ropewalk/archive/`. A name that is taken by something else gets a number. */
export async function archiveRef(clone: Clone, archiveAs: string, commit: CommitId): Promise<string> {
  for (let number = 1; number < 10_000; number++) {
    const ref = `refs/ropewalk/archive/${archiveAs}${number === 1 ? '' : `-${number}`}`
    if (await moveRef(clone, { ref, from: null, to: commit })) return ref
  }
  throw new TransientError(`no free archive name for ${archiveAs}`)
}

function asOurRef(ref: string): string {
  const [refs, ropewalk, ...rest] = ref.split('/')
  invariant(refs === 'refs' && ropewalk === 'ropewalk' && rest.length > 0, `"${ref}" is not a ref of ours`)
  rest.forEach(asPathSegment)
  return ref
}

/** The ref was somewhere else, or a ref of a longer or shorter name is in the way: an answer, not a failure. */
const isAnswer = (said: string): boolean =>
  /but expected|reference already exists|unable to resolve reference|cannot create|exists; cannot/.test(said)

const staleMs = 60_000

/**
 * A git that was killed together with us leaves its lock for ever, and nobody else would take it away. Only for files
 * of our own clone, which one driver at a time writes; a git that is still alive is given its time.
 */
export async function dropStaleLock(file: string): Promise<void> {
  const lock = `${file}.lock`
  const found = await stat(lock).catch(() => null)
  if (found !== null && Date.now() - found.mtimeMs > staleMs) await rm(lock, { force: true })
}

/** What our clones keep of a delivery, whatever the log says. */
export interface KeptRefs {
  delivery: string
  clone: string
  refs: string[]
}

const others = new Set(['target', 'pull', 'notes'])

/** Of every delivery that has a ref of ours. */
export async function keptRefs(home: string): Promise<KeptRefs[]> {
  const folder = join(home, 'repositories')
  const clones = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.git'))
  return (await Promise.all(clones.map((name) => keptIn(join(folder, name))))).flat()
}

async function keptIn(clone: string): Promise<KeptRefs[]> {
  const args = ['--git-dir', clone, 'for-each-ref', '--format=%(refname)', 'refs/ropewalk/']
  const refs = singleLine(await ourGit({ args, accept: [1, 128] }))
  const found = new Map<string, string[]>()
  for (const ref of refs.split('\n').filter(Boolean)) {
    const [, , first = '', second = ''] = ref.split('/')
    const delivery = first === 'archive' ? second : first
    if (!others.has(first)) found.set(delivery, [...(found.get(delivery) ?? []), ref])
  }
  return [...found].map(([delivery, its]) => ({ delivery, clone, refs: its }))
}
