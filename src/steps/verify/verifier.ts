import type { CommitId } from '../../delivery/ids.ts'
import type { Demands, Verification, Verifier } from '../../ports/proofs/verifier.ts'
import type { Found } from '../../proof/statement/note.ts'
import { statementsIn } from '../../proof/statement/note.ts'
import { type CommitFacts, statementProblems } from '../../proof/statement/problems.ts'
import { remembered } from '../../std/once.ts'
import { proofOf } from './proof.ts'
import { againstLog, type Kept, keptOf } from './record.ts'
import { type Rerun, runAgain } from './rerun.ts'
import { signatureOf } from './signature.ts'
import type { Again, VerifyWorld } from './world.ts'

const longestNote = 1024 * 1024

/** Of a range, each delivery's log is read once, and what was proven together is run again once. */
export function openVerifier(world: VerifyWorld): Verifier {
  const memory: Memory = { kept: remembered((delivery) => keptOf(world, delivery)), again: new Map() }
  return { verify: (commit, demands) => verify({ ...world, ...memory }, commit, demands) }
}

interface Memory {
  kept: (delivery: string) => Promise<Kept>
  again: Map<string, Promise<Again>>
}

type Court = VerifyWorld & Memory

async function verify(world: Court, commit: CommitId, demands: Demands): Promise<Verification> {
  const { tree, message } = await world.repository.readCommit(commit)
  const facts = { commit, tree, message }
  const note = await world.repository.readNote(commit, longestNote)
  if (note === null) return result(facts, { status: 'none', problems: ['it carries no proof'] })
  if (note.text === null)
    return result(facts, { problems: [`its note is too long to be a proof: ${note.bytes} bytes`] })
  const statements = statementsIn(note.text)
  if (statements.length === 0) return result(facts, { problems: ['its note is no statement of ours'] })
  const verified: Verification[] = []
  for (const found of statements) verified.push(await verifyOne(world, { facts, found, demands }))
  // Of several statements each must hold: a wrong one beside a right one is still wrong.
  return verified.find(({ status }) => status === 'broken') ?? verified[0]!
}

interface Case {
  facts: CommitFacts
  found: Found
  demands: Demands
}

async function verifyOne(world: Court, { facts, found, demands }: Case): Promise<Verification> {
  const own = statementProblems(found.statement, facts)
  // What is not even about this commit, or not whole, is asked nothing more.
  const problems = own.length > 0 ? own : await companyProblems(world, found, facts)
  if (problems.length > 0) return result(facts, { problems })
  const { delivery } = found.statement.predicate.ropewalk_proof
  const signature = await signatureOf(world, found, demands)
  const record = await againstLog(world, found.statement, await world.kept(delivery))
  const told = {
    problems: [...signature.problems, ...record.problems],
    remarks: [...signature.remarks, ...record.remarks],
  }
  const proof = proofOf(found.statement, { signer: signature.signer, log: record.log })
  if (told.problems.length > 0 || !demands.rerun) return result(facts, { ...told, proof })
  const vouched = record.log === 'agrees' || signature.trusted
  const again = await againOnce(world, { statement: found.statement, vouched, signal: demands.signal })
  return result(facts, { problems: again.problems, remarks: [...told.remarks, ...again.remarks], proof })
}

function againOnce(world: Court, rerun: Rerun): Promise<Again> {
  const { configuration, ropewalk_proof: proof } = rerun.statement.predicate
  const key = JSON.stringify([configuration, proof.provenBy, proof.setup, proof.workspace, rerun.vouched])
  const running = world.again.get(key) ?? runAgain(world, rerun)
  world.again.set(key, running)
  return running
}

/** A commit that was proven together with a later one needs that one to be there and to contain it. */
async function companyProblems(
  { repository }: VerifyWorld,
  { statement }: Found,
  facts: CommitFacts,
): Promise<string[]> {
  const { commit, tree } = statement.predicate.ropewalk_proof.provenBy
  if (commit === facts.commit) return []
  if (!(await repository.isAncestor(facts.commit, commit)))
    return [`it was proven together with ${commit}, which does not contain it or is not here`]
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
