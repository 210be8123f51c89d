import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { CommitId } from '../../delivery/ids.ts'
import { TerminalError } from '../../ports/errors.ts'
import { notesAbout } from '../../proof/statement/note.ts'
import { asPathSegment } from '../../std/identifier.ts'
import { type Clone, inClone } from './clone.ts'
import { silentFetch } from './fetch.ts'
import { fastImport, notesStream, readNotes } from './notes.ts'
import { bulkTimeoutMs, singleLine } from './program/run.ts'
import { listRefs, moveRef } from './refs.ts'

const foldersOf = (delivery: string): string[] =>
  ['', 'archive/'].map((kind) => `refs/ropewalk/${kind}${asPathSegment(delivery)}/`)

/** All that a delivery's refs reach, its base and the proofs, in one file, which needs nothing that is not in it. */
export async function writeBundle(
  clone: Clone,
  { delivery, base, file }: { delivery: string; base: CommitId; file: string },
): Promise<void> {
  await moveRef(clone, { ref: `refs/ropewalk/${asPathSegment(delivery)}/base`, from: null, to: base })
  await keepNotes(clone, { delivery, base })
  const input = await refLines(clone, delivery)
  await inClone(clone, ['bundle', 'create', '--quiet', resolve(file), '--stdin'], { input, timeoutMs: bulkTimeoutMs })
}

async function refLines(clone: Clone, delivery: string): Promise<string> {
  const refs = (await Promise.all(foldersOf(delivery).map((folder) => listRefs(clone, folder)))).flat()
  return refs.map(({ ref }) => `${ref}\n`).join('')
}

/** Of the notes only the proofs of this delivery: what is said of others is not for whoever gets the file. */
async function keepNotes(clone: Clone, { delivery, base }: { delivery: string; base: CommitId }): Promise<void> {
  const range = `${await refLines(clone, delivery)}^${base}\n`
  const listed = await inClone(clone, ['rev-list', '--stdin'], { input: range, timeoutMs: bulkTimeoutMs })
  const commits = singleLine(listed).split('\n').filter(Boolean)
  const changed = notesAbout(delivery, await readNotes(clone, commits))
  if (changed.length === 0) return
  const ref = `refs/ropewalk/${asPathSegment(delivery)}/notes`
  const input = notesStream(clone.identity, { ref, tip: null, at: 0, changed })
  await inClone(clone, [...fastImport, '--force'], { input, timeoutMs: bulkTimeoutMs })
}

/** Takes refs of this delivery out of such a file, and no others; every object is looked at on the way. */
export async function readBundle(clone: Clone, { delivery, file }: { delivery: string; file: string }): Promise<void> {
  const path = resolve(file)
  await access(path).catch((error: Error) => {
    throw new TerminalError(
      `cannot read ${file}: ${error.message}`,
      'give a file that `ropewalk export --bundle` wrote',
    )
  })
  const specs = foldersOf(delivery).map((folder) => `${folder}*:${folder}*`)
  const args = ['-c', 'fetch.fsckObjects=true', ...silentFetch, '--', path, ...specs]
  const fetched = await inClone(clone, args, { timeoutMs: bulkTimeoutMs, accept: [1, 128] })
  if (fetched.code !== 0)
    throw new TerminalError(
      `${file} cannot be taken in: ${fetched.stderr.trim().slice(-500)}`,
      'give the file that `ropewalk export --bundle` wrote for this delivery; if it is damaged, export it again',
    )
}
