import type { CommitId } from '../../../delivery/ids.ts'
import { TransientError } from '../../../ports/errors.ts'
import type { NoteChange, NotesResult } from '../../../ports/repository/landings.ts'
import { type Clone, inClone } from '../clone.ts'
import { asCommit, fallback } from '../commit.ts'
import { failure } from '../failures.ts'
import { bring } from '../landing/land.ts'
import { blobsOf, fetchCommit } from '../read.ts'
import { bulkTimeoutMs, type GitOutput, lineOf, userGit } from '../run.ts'
import { noteObjects } from './tree.ts'

export const notesRef = 'refs/notes/ropewalk'
const nothing = '0'.repeat(40)
const mostTries = 10

/**
 * The commit of notes is made in our clone, brought over as objects, and the ref moved by compare-and-swap: whoever
 * else writes notes at that moment loses nothing, and a kill leaves either the former notes or these.
 */
export async function addNotes(clone: Clone, request: { at: number; notes: NoteChange[] }): Promise<NotesResult> {
  for (let tried = 0; tried < mostTries; tried++) {
    const tip = await notesTip(clone.user)
    if (tip !== null) await fetchCommit(clone, tip)
    const changed = await changedNotes(clone, tip, request.notes)
    if (changed.length === 0) return { status: 'unchanged' }
    const commit = await commitNotes(clone, { tip, at: request.at, changed })
    await bring(clone, commit)
    const moved = await moveNotes(clone, { from: tip, to: commit })
    if (moved !== 'again') return moved
  }
  throw new TransientError(`${notesRef} is being moved by somebody else`)
}

export async function readNotes(clone: Clone, commits: CommitId[]): Promise<Map<CommitId, string>> {
  const tip = commits.length === 0 ? null : await notesTip(clone.user)
  if (tip === null) return new Map()
  await fetchCommit(clone, tip)
  const objects = await noteObjects((args) => inClone(clone, args), tip)
  const wanted = commits.filter((commit) => objects.has(commit))
  const texts = await blobsOf(
    clone,
    wanted.map((commit) => objects.get(commit)!),
  )
  return new Map(wanted.map((commit) => [commit, texts.get(objects.get(commit)!)!.toString('utf8')]))
}

export async function notesTip(folder: string): Promise<string | null> {
  return lineOf(await userGit({ args: ['-C', folder, 'rev-parse', '--verify', '-q', notesRef], accept: [1] })) || null
}

interface Changed {
  commit: string
  text: string
}

async function changedNotes(clone: Clone, tip: string | null, notes: NoteChange[]): Promise<Changed[]> {
  const objects = tip === null ? new Map<string, string>() : await noteObjects((args) => inClone(clone, args), tip)
  const changed: Changed[] = []
  for (const { commit, add } of notes) {
    const object = objects.get(commit)
    const present =
      object === undefined ? '' : (await inClone(clone, ['cat-file', 'blob', object])).stdout.toString('utf8')
    const text = add(present)
    if (text !== present) changed.push({ commit, text })
  }
  return changed
}

/** By fast-import, which knows how git lays out many notes; the ref that it asks for is never made. */
export async function commitNotes(
  clone: Clone,
  { tip, at, changed }: { tip: string | null; at: number; changed: Changed[] },
): Promise<string> {
  const ref = `refs/ropewalk/notes/${asCommit(changed[0]!.commit)}`
  const { name, email } = clone.identity ?? fallback
  const who = `${name.replace(/[<>\n]/g, '')} <${email.replace(/[<>\n]/g, '')}>`
  const stream = [
    `commit ${ref}`,
    'mark :1',
    `committer ${who} ${Math.floor(at)} +0000`,
    dataOf('Notes added by Ropewalk\n'),
    ...(tip === null ? [] : [`from ${asCommit(tip)}`]),
    ...changed.flatMap(({ commit, text }) => [`N inline ${asCommit(commit)}`, dataOf(text)]),
    'get-mark :1',
    `reset ${ref}`,
    `from ${nothing}`,
    'done\n',
  ]
  const args = ['fast-import', '--quiet', '--force', '--done']
  return lineOf(await inClone(clone, args, { input: stream.join('\n'), timeoutMs: bulkTimeoutMs }))
}

const dataOf = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`

async function moveNotes(clone: Clone, move: { from: string | null; to: string }): Promise<NotesResult | 'again'> {
  const { name, email } = clone.identity ?? fallback
  const env = { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email }
  const args = ['update-ref', '-m', 'ropewalk: note proofs', '--', notesRef, move.to, move.from ?? nothing]
  const output = await userGit({ args: ['-C', clone.user, ...args], env, accept: [1, 128] })
  if (output.code === 0) return { status: 'written' }
  if ((await notesTip(clone.user)) !== move.from) return 'again'
  return refusal(args, output)
}

/** A ref of a longer or shorter name is in the way: that stays so, and is no reason to stop. */
function refusal(args: string[], output: GitOutput): NotesResult {
  if (/exists; cannot create/.test(output.stderr))
    return { status: 'refused', reason: output.stderr.trim().slice(0, 400) }
  throw failure(args, output)
}
