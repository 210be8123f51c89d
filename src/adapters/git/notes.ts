import type { CommitId } from '../../delivery/ids.ts'
import { TransientError } from '../../ports/errors.ts'
import type { NoteChange, NotesResult } from '../../ports/repository/landings.ts'
import type { AskedOf, Clone, Identity } from './clone.ts'
import { asCommit, fallback } from './commit.ts'
import type { Objects } from './objects.ts'
import { failedCall } from './program/failures.ts'
import { bulkTimeoutMs, userGit } from './program/run.ts'

const notesRef = 'refs/notes/ropewalk'
const mostTries = 10

/** One commit of notes, and the ref moved to it if it still is where it was: whoever else writes notes loses nothing. */
export async function addNotes(clone: Clone, request: AskedOf<'addNotes'>): Promise<NotesResult> {
  for (let tried = 0; tried < mostTries; tried++) {
    const tip = await notesTip(clone.theirs)
    const changed = await changedNotes(clone.theirs, tip, request.notes)
    if (changed.length === 0) return { status: 'unchanged' }
    const written = await writeNotes(clone, { tip, at: request.at, changed })
    if (written !== 'again') return written
  }
  throw new TransientError(`${notesRef} is being moved by somebody else`)
}

export async function readNotes({ theirs }: Clone, commits: CommitId[]): Promise<Map<CommitId, string>> {
  const tip = commits.length === 0 ? null : await notesTip(theirs)
  if (tip === null) return new Map()
  const noted = await noteObjects(theirs, tip)
  const found = commits.map(async (commit) => {
    const object = noted.get(commit)
    return object === undefined ? [] : [[commit, (await theirs.content(object)).toString('utf8')] as const]
  })
  return new Map((await Promise.all(found)).flat())
}

export const notesTip = async (objects: Objects): Promise<string | null> => (await objects.info(notesRef))?.id ?? null

/** The objects that hold the notes at a commit of notes, by the commit they are about, however git has spread them. */
export async function noteObjects(objects: Objects, tip: string): Promise<Map<string, string>> {
  const files = await objects.files((await objects.commit(tip)).tree)
  const notes = files.filter(({ mode, path }) => mode.startsWith('100') && /^[0-9a-f/]+$/.test(path))
  return new Map(notes.map(({ path, object }) => [path.replaceAll('/', ''), object]))
}

interface NoteText {
  commit: string
  text: string
}

async function changedNotes(objects: Objects, tip: string | null, notes: NoteChange[]): Promise<NoteText[]> {
  const noted = tip === null ? new Map<string, string>() : await noteObjects(objects, tip)
  const texts = notes.map(async ({ commit, add }) => {
    const object = noted.get(commit)
    const present = object === undefined ? '' : (await objects.content(object)).toString('utf8')
    const text = add(present)
    return text === present ? [] : [{ commit, text }]
  })
  return (await Promise.all(texts)).flat()
}

/** By fast-import, which knows how git lays out many notes, and moves a ref to what came of it and nowhere else. */
export const fastImport = ['fast-import', '--quiet', '--done']

export function notesStream(
  identity: Identity | null,
  notes: { ref: string; tip: string | null; at: number; changed: NoteText[] },
): string {
  const { name, email } = identity ?? fallback
  const who = `${name.replace(/[<>\n]/g, '')} <${email.replace(/[<>\n]/g, '')}>`
  return [
    `commit ${notes.ref}`,
    `committer ${who} ${Math.floor(notes.at)} +0000`,
    dataOf('Notes added by Ropewalk\n'),
    ...(notes.tip === null ? [] : [`from ${asCommit(notes.tip)}`]),
    ...notes.changed.flatMap(({ commit, text }) => [`N inline ${asCommit(commit)}`, dataOf(text)]),
    'done\n',
  ].join('\n')
}

const dataOf = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`

async function writeNotes(
  clone: Clone,
  notes: { tip: string | null; at: number; changed: NoteText[] },
): Promise<NotesResult | 'again'> {
  const { name, email } = clone.identity ?? fallback
  const output = await userGit({
    args: ['-C', clone.user, ...fastImport],
    input: notesStream(clone.identity, { ...notes, ref: notesRef }),
    env: { GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email },
    timeoutMs: bulkTimeoutMs,
    accept: [1, 128],
  })
  if (output.code === 0) return { status: 'written' }
  if ((await notesTip(clone.theirs)) !== notes.tip) return 'again'
  // A ref of a longer or shorter name is in the way: that stays so, and is no reason to stop.
  if (!/exists; cannot create/.test(output.stderr)) throw failedCall(fastImport, output)
  return { status: 'refused', reason: output.stderr.trim().slice(0, 400) }
}
