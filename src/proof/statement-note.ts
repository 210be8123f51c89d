import type { CommitId } from '../delivery/ids.ts'
import { parseJson } from '../std/json.ts'
import { predicateType, type Statement, statementType } from './statement.ts'

// A note has one document a line, so that git can join notes of several people, and other lines can stand beside ours.

/** A statement as it was found in a note, not yet believed. */
export interface Found {
  /** Its exact text, which is what a signature is over. */
  text: string
  statement: Statement
  signatures: NoteEnvelope['signatures']
}

/** Every statement of ours in a note; lines of somebody else are passed over. */
export const statementsIn = (note: string): Found[] => note.split('\n').flatMap((line) => foundIn(line) ?? [])

/** The note with this line; as it was when it says the same already, whoever signed it and when. */
export function noteWith(present: string, line: string): string {
  const said = foundIn(line)?.text
  if (present.split('\n').some((one) => one === line || (said !== undefined && foundIn(one)?.text === said)))
    return present
  return `${present}${present === '' || present.endsWith('\n') ? '' : '\n'}${line}\n`
}

/** Whether a note makes this very statement already, whoever signed it and when. */
export const says = (present: string, text: string): boolean => statementsIn(present).some((one) => one.text === text)

/** Of a commit that landed as part of a story, whose proof is with the story's last commit. */
export const partLine = (of: CommitId): string => JSON.stringify({ ropewalk_part_of: of })

/** Of all these notes what they say of one delivery's commits; lines of others, and of other deliveries, are left out. */
export function notesAbout(
  delivery: string,
  notes: ReadonlyMap<CommitId, string>,
): { commit: CommitId; text: string }[] {
  const isOwn = (line: string): boolean => foundIn(line)?.statement.predicate?.ropewalk_proof?.delivery === delivery
  const kept = (lineFits: (line: string) => boolean) =>
    [...notes].flatMap(([commit, note]) => {
      const lines = note.split('\n').filter(lineFits)
      return lines.length === 0 ? [] : [{ commit, text: `${lines.join('\n')}\n` }]
    })
  const proven = new Set(kept(isOwn).map(({ commit }) => commit))
  return kept((line) => isOwn(line) || proven.has(partOf(line) ?? ''))
}

/** The commit that has the proof, as a note of such a commit says it; null: it says nothing of the kind. */
export function partOf(note: string): CommitId | null {
  for (const line of note.split('\n')) {
    const value = objectIn(line)
    const of = value !== null && 'ropewalk_part_of' in value ? value.ropewalk_part_of : null
    if (typeof of === 'string' && /^[0-9a-f]{40,64}$/.test(of)) return of
  }
  return null
}

function foundIn(line: string): Found | null {
  const value = objectIn(line)
  if (value === null) return null
  const signed = payloadOf(value)
  const statement = signed === null ? value : objectIn(signed.text)
  if (statement === null || !isStatement(statement)) return null
  return { text: signed?.text ?? line, statement, signatures: signed?.signatures ?? [] }
}

const isStatement = (value: object): value is Statement =>
  '_type' in value &&
  value._type === statementType &&
  'predicateType' in value &&
  value.predicateType === predicateType &&
  JSON.stringify(value).includes('"ropewalk_proof":')

function objectIn(text: string): object | null {
  return text.trimStart().startsWith('{') ? (parseJson(text) as object | null) : null
}

// A signed statement is a DSSE envelope (https://github.com/secure-systems-lab/dsse) around its exact bytes.

export const payloadType = 'application/vnd.in-toto+json'

export interface NoteEnvelope {
  payloadType: typeof payloadType
  /** Base64 of the statement's text. */
  payload: string
  /** `sig`: base64 of an SSH signature in the namespace `ropewalk`. */
  signatures: { keyid: string; sig: string }[]
}

/** What is signed for a statement's text. */
export function signedText(text: string): string {
  const bytes = (part: string): number => Buffer.byteLength(part)
  return `DSSEv1 ${bytes(payloadType)} ${payloadType} ${bytes(text)} ${text}`
}

export const envelopeOf = (text: string, signature: { keyid: string; sig: string }): NoteEnvelope => ({
  payloadType,
  payload: Buffer.from(text).toString('base64'),
  signatures: [signature],
})

/** The statement's text; null when this is no envelope of that kind. */
export function payloadOf(value: object): { text: string; signatures: NoteEnvelope['signatures'] } | null {
  const { payloadType: type, payload, signatures } = value as Partial<NoteEnvelope>
  if (type !== payloadType || typeof payload !== 'string' || !Array.isArray(signatures)) return null
  const sound = signatures.filter((one) => typeof one?.sig === 'string' && typeof one.keyid === 'string')
  return { text: Buffer.from(payload, 'base64').toString('utf8'), signatures: sound }
}
