import { join } from 'node:path'
import type { CommitId } from '../../delivery/ids.ts'
import { TransientError } from '../../ports/errors.ts'
import { asPathSegment } from '../../std/identifier.ts'
import { invariant } from '../../std/never.ts'
import { type Clone, inClone } from './clone.ts'
import { asCommit } from './commit.ts'
import { failure } from './failures.ts'
import { type GitOutput, lineOf } from './run.ts'
import { dropStaleLock } from './stale-lock.ts'

const nothing = '0'.repeat(40)

export async function moveRef(
  clone: Clone,
  move: { ref: string; from: CommitId | null; to: CommitId },
): Promise<boolean> {
  const args = [
    'update-ref',
    '--',
    asOurRef(move.ref),
    asCommit(move.to),
    move.from === null ? nothing : asCommit(move.from),
  ]
  await dropStaleLock(join(clone.gitDir, move.ref))
  const output = await inClone(clone, args, { accept: [1, 128] })
  if (output.code === 0) return true
  const present = await readRef(clone, move.ref)
  if (present === move.to) return true
  if (present === move.from || !isAnswer(output)) throw failure(args, output)
  return false
}

export async function readRef(clone: Clone, ref: string): Promise<CommitId | null> {
  const output = await inClone(clone, ['rev-parse', '--verify', '-q', ref], { accept: [1] })
  return lineOf(output) || null
}

export async function listRefs(clone: Clone, prefix: string): Promise<{ ref: string; commit: CommitId }[]> {
  const pattern = prefix.endsWith('/') ? prefix.slice(0, -1) : prefix
  const output = await inClone(clone, ['for-each-ref', '--format=%(objectname) %(refname)', pattern])
  const lines = lineOf(output).split('\n').filter(Boolean)
  return lines.map((line) => ({ commit: line.slice(0, line.indexOf(' ')), ref: line.slice(line.indexOf(' ') + 1) }))
}

export async function deleteRef(clone: Clone, ref: string): Promise<void> {
  await inClone(clone, ['update-ref', '-d', '--', asOurRef(ref)])
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
const isAnswer = (output: GitOutput): boolean =>
  /but expected|reference already exists|unable to resolve reference|cannot create|exists; cannot/.test(output.stderr)
