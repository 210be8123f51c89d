import type { CommitId } from '../../delivery/ids.ts'
import type { Demands, Verification, Verifier } from '../../ports/proofs/verifier.ts'
import { type CommitFacts, statementProblems } from '../../proof/statement.ts'
import { type Found, partOf, signedText, statementsIn } from '../../proof/statement-note.ts'
import { remembered } from '../../std/once.ts'
import {
  type Again,
  againstLog,
  type DeliveryRecord,
  keptOf,
  partProblems,
  pinnedIn,
  seenHere,
  type VerifyWorld,
  verifiedProof,
  writeMissing,
} from './record.ts'
import { type Rerun, runAgain } from './rerun.ts'

/** Of a range, each delivery's log is read once, and what was proven together is run again once. */
export function openVerifier(world: VerifyWorld): Verifier {
  const memory: Memory = { kept: remembered((delivery) => keptOf(world, delivery)), again: new Map() }
  return { verify: (commit, demands) => verify({ ...world, ...memory }, commit, demands) }
}

type Note = NonNullable<Awaited<ReturnType<VerifyWorld['repository']['readNote']>>>

interface Memory {
  kept: (delivery: string) => Promise<DeliveryRecord>
  again: Map<string, Promise<Again>>
}

type Court = VerifyWorld & Memory

async function verify(world: Court, commit: CommitId, demands: Demands): Promise<Verification> {
  const { of, ...noted } = await lookAt(world, commit)
  return of === null
    ? await verifyNote(world, { ...noted, demands })
    : await verifyPart(world, { ...noted, of, demands })
}

interface Noted {
  facts: CommitFacts
  note: Note | null
}

/** `of`: it says of itself that it is a part of this one. */
async function lookAt(world: Court, commit: CommitId): Promise<Noted & { of: CommitId | null }> {
  const facts = { commit, ...(await world.repository.readCommit(commit)) }
  const read = () => world.repository.readNote(commit, 1024 * 1024)
  const note = (await read()) ?? ((await writeMissing(world, facts)) ? await read() : null)
  const text = note?.text ?? ''
  return { facts, note, of: statementsIn(text).length === 0 ? partOf(text) : null }
}

async function verifyNote(world: Court, { facts, note, demands }: Noted & { demands: Demands }): Promise<Verification> {
  if (note === null) return result(facts, { status: 'none', problems: ['it carries no proof'] })
  if (note.text === null)
    return result(facts, { problems: [`its note is too long to be a proof: ${note.bytes} bytes`] })
  const statements = statementsIn(note.text)
  if (statements.length === 0) return result(facts, { problems: ['its note is no statement of ours'] })
  const verified: Verification[] = []
  for (const found of statements) verified.push(await verifyOne(world, { facts, found, demands }))
  // Of several statements each must hold: a wrong one beside a right one is still wrong.
  const worst = (status: Verification['status']) => verified.find((one) => one.status === status)
  return worst('broken') ?? worst('unknown') ?? verified[0]!
}

/** An earlier commit of a story: what its last commit has of proof is for all of them, if that one says so too. */
async function verifyPart(
  world: Court,
  { facts, of, demands }: { facts: CommitFacts; of: CommitId; demands: Demands },
): Promise<Verification> {
  if ((await world.repository.commits(of)) === null)
    return result(facts, { status: 'unknown', problems: [`it is part of ${of}, which is not here`] })
  const last = await lookAt(world, of)
  const { status, problems, proof } = await verifyNote(world, { ...last, demands })
  if (status !== 'proven')
    return result(facts, { status, problems: problems.map((problem) => `it is part of ${of}: ${problem}`) })
  return proof?.parts.includes(facts.commit)
    ? result(facts, { status: 'part', problems: [], proof })
    : result(facts, { problems: [`it says that it is part of ${of}, which does not say so`] })
}

async function verifyOne(
  world: Court,
  { facts, found, demands }: { facts: CommitFacts; found: Found; demands: Demands },
): Promise<Verification> {
  const own = statementProblems(found.statement, facts)
  // What is not even about this commit, or not whole, is asked nothing more.
  if (own.length > 0) return result(facts, { problems: own })
  const { delivery, provenBy } = found.statement.predicate.ropewalk_proof
  if ((await world.repository.commits(provenBy.commit)) === null)
    return result(facts, { status: 'unknown', problems: [`it was proven together with ${provenBy.commit}, ${absent}`] })
  const company = await companyProblems(world, found, facts)
  const kept = seenHere(await world.kept(delivery), facts.commit)
  const problems = [...company, ...(await partProblems(world, found.statement, kept))]
  if (problems.length > 0) return result(facts, { problems })
  const signature = await signatureOf(world, found, demands)
  const record = await againstLog(world, found.statement, kept)
  const told = [...signature.problems, ...record.problems]
  const remarks = [...signature.remarks, ...record.remarks]
  const proof = verifiedProof(found.statement, { signer: signature.signer, log: record.log })
  if (told.length > 0 || !demands.rerun) return result(facts, { problems: told, remarks, proof })
  const vouched = record.log === 'agrees' || signature.trusted
  const rerun = { statement: found.statement, vouched, pinned: pinnedIn(kept), signal: demands.signal }
  const again = await againOnce(world, rerun)
  return result(facts, { problems: again.problems, remarks: [...remarks, ...again.remarks], proof })
}

function againOnce(world: Court, rerun: Rerun): Promise<Again> {
  const { configuration, ropewalk_proof: proof } = rerun.statement.predicate
  const key = JSON.stringify([configuration, proof.provenBy, proof.setup, proof.workspace, rerun.vouched])
  const running = world.again.get(key) ?? runAgain(world, rerun)
  world.again.set(key, running)
  return running
}

const absent = 'which is not here: `git fetch` may bring it'

/** A commit that was proven together with a later one needs that one to be there and to contain it. */
async function companyProblems(
  { repository }: VerifyWorld,
  { statement }: Found,
  facts: CommitFacts,
): Promise<string[]> {
  const { commit, tree } = statement.predicate.ropewalk_proof.provenBy
  if (commit === facts.commit) return []
  if (!(await repository.isAncestor(facts.commit, commit)))
    return [`it was proven together with ${commit}, which does not contain it`]
  return (await repository.readCommit(commit)).tree === tree ? [] : [`${commit} does not have the tree that was proven`]
}

function result({ commit, message }: CommitFacts, told: Partial<Verification> & { problems: string[] }): Verification {
  return {
    commit,
    subject: message.split('\n', 1)[0] ?? '',
    status: told.problems.length === 0 ? 'proven' : 'broken',
    remarks: [],
    proof: null,
    ...told,
  }
}

interface Signed {
  problems: string[]
  remarks: string[]
  signer: string | null
  /** By somebody whose signature counts. */
  trusted: boolean
}

/** Every signature must fit; one by a known key makes it trusted. */
async function signatureOf(
  { signing }: Pick<VerifyWorld, 'signing'>,
  { text, signatures }: Found,
  { signersFile, signed, strict }: Pick<Demands, 'signersFile' | 'signed' | 'strict'>,
): Promise<Signed> {
  const told: Signed = { problems: [], remarks: [], signer: null, trusted: false }
  for (const signature of signatures) {
    const word = await signing.verify({ text: signedText(text), signature, signersFile })
    if (word.status === 'bad') told.problems.push(`its signature does not fit: ${word.problem}`)
    else if (word.status === 'good') Object.assign(told, { signer: word.signer, trusted: true })
    else {
      told.signer ??= word.key
      const unknown = `it is signed by ${word.key}, and nobody has said whose key that is`
      const list = strict || signed ? told.problems : told.remarks
      list.push(signersFile === null ? unknown : `it is signed by ${word.key}, which is not in ${signersFile}`)
    }
  }
  if (signed && signatures.length === 0) told.problems.push('it is not signed')
  return told
}
