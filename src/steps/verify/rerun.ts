import { mkdtempSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type ParserName, runners } from '../../delivery/judging/finding.ts'
import type { Policy } from '../../delivery/policy.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Shell } from '../../ports/shell.ts'
import { type CheckRecord, commandsOf, type Statement } from '../../proof/statement.ts'
import { isCramped, isDiskFull, removeTree } from '../../std/files.ts'
import { bornAt, isGone } from '../../std/running.ts'
import { type CheckRun, type Ran, runCheck } from '../check/run-check.ts'
import { aloneWith } from '../work.ts'
import type { Again, RerunPlace, VerifyWorld } from './record.ts'

export interface Rerun {
  statement: Statement
  /** The log or a signature stands for the commands. */
  vouched: boolean
  /** By our own log; how free its commands are is not taken from a note. */
  pinned: Policy | null
  signal: AbortSignal
}

/** The recorded commands, on the commit that they once proved, in a clean place; and whether they say the same. */
export async function runAgain(verifying: VerifyWorld, rerun: Rerun): Promise<Again> {
  const { ropewalk_proof: proof, configuration } = rerun.statement.predicate
  const { commit } = proof.provenBy
  const { copy } = proof.workspace
  const objection = rerun.vouched ? null : await objectionTo(verifying, rerun.statement)
  if (objection !== null)
    return { problems: [`it was not run again: nobody here vouches for ${objection}`], remarks: [] }
  return await verifying.rerun(commit, async (place) => {
    const told: Again = { problems: [], remarks: [] }
    for (const record of configuration) {
      const ran = await runCheck(benchOf(place, rerun, record), { name: '', commit, overlay: [] })
      const [fits, text] = compared(record, ran)
      told[fits ? 'remarks' : 'problems'].push(`run again, ${text}`)
    }
    const lent = `it was proven with files that git ignores, and needs them in this checkout: ${copy.join(', ')}`
    if (told.problems.length > 0 && copy.length > 0) told.remarks.push(lent)
    return told
  })
}

/** A note comes from wherever it was fetched: what it says is not run unless somebody we know says it too. */
async function objectionTo({ repository, textsIn }: VerifyWorld, statement: Statement): Promise<string | null> {
  const { provenBy, workspace } = statement.predicate.ropewalk_proof
  const { commit } = provenBy
  const settings = (await repository.readFile(commit, 'ropewalk.yaml')) ?? ''
  const known = (await textsIn(settings)).map((text) => text.trim())
  const foreign = [...commandsOf(statement), ...workspace.copy].find((text) => !known.includes(text.trim()))
  if (foreign !== undefined) return `"${foreign}", which is neither in the log, ${nobody}, nor in ropewalk.yaml`
  if (commit === statement.subject[0].digest.gitCommit) return null
  // Whoever writes a note could else name any commit that was ever fetched, such as one that is only proposed.
  const [head] = (await repository.commits('HEAD')) ?? []
  if (head !== undefined && (await repository.isAncestor(commit, head))) return null
  return `${commit}, which it is said to be proven with: it is neither in the log, ${nobody}, nor part of HEAD`
}

const nobody = 'nor signed by somebody you know'

/** The check as the delivery once ran it, of what the statement says; no delivery stands behind it now. */
function benchOf(
  { world, clone, mark }: RerunPlace,
  { statement, pinned, signal }: Rerun,
  record: CheckRecord,
): CheckRun {
  const { command: run, timeoutMs, report, packages } = record.annotations
  const { provenBy, setup, workspace } = statement.predicate.ropewalk_proof
  const needs = pinned?.checks.find((one) => one.run === run)?.needs ?? []
  // What nobody here vouches for is confined where the machine can.
  const freedom = { sandbox: pinned?.sandbox ?? 'auto', egress: pinned?.egress ?? 'open' } as const
  const request = { repository: { id: '', path: '' }, target: '', base: provenBy.commit }
  return {
    ...aloneWith({ world, repository: clone, mark, signal }),
    step: { id: 'verify', story: null },
    input: { delivery: 'verify', request, policy: { ...freedom, setup, workspace: { ...workspace, quotaMb: null } } },
    check: {
      ...{ name: record.name, run, timeoutMs, parser: parserOf(record), report, packages, needs },
      ...{ fix: null, related: null, full: 'story' },
    },
  }
}

/** What told of no test then need not tell of any now. */
const parserOf = ({ annotations: { parser, counts } }: CheckRecord): ParserName =>
  counts === null ? 'exit-code' : (runners.find((one) => one === parser) ?? 'auto')

function compared({ name, annotations }: CheckRecord, ran: Ran): [fits: boolean, text: string] {
  if (ran.status === 'not-set-up') return [false, ran.problem]
  const { status, counts, message } = ran.result
  const before = annotations.counts
  if (annotations.exitCode === null) {
    const fits = counts !== null && before !== null && counts.failed <= before.failed
    return [fits, `${name}: ${message}; then ${before?.failed ?? 'some'} failed, and were not charged`]
  }
  if (status !== 'pass') return [false, `${name} is red: ${message}`]
  if (before === null || counts === null) return [true, `${name} passed`]
  const then = `(then ${before.passed} of ${before.total})`
  return [counts.passed >= before.passed, `${name} passed: ${counts.passed} of ${counts.total} ${then}`]
}

// Running a proof again needs a home for that time. It is named after the process that made it, so that it is known
// when that one is gone.

const named = /^ropewalk-verify-(\d+)\.(\d+|x)\./

/** A home for this use alone: gone afterwards. Where there is no room for it, that is said. */
export async function inFreshHome<T>(folder: string, use: (home: string) => Promise<T>): Promise<T> {
  let home: string | null = null
  try {
    home = makeHome(folder)
    return await use(home)
  } catch (error) {
    throw isDiskFull(error) || isCramped(folder) ? noRoom(folder, error) : error
  } finally {
    if (home !== null) await removeTree(home)
  }
}

export const makeHome = (folder: string): string =>
  mkdtempSync(join(folder, `ropewalk-verify-${process.pid}.${bornAt(process.pid) ?? 'x'}.`))

const noRoom = (folder: string, error: unknown): TerminalError =>
  new TerminalError(
    `disk full: there is no room in ${folder} to run it again (${error instanceof Error ? error.message.trim() : error})`,
    'Free some space there, or name another folder with TMPDIR, then verify again.',
  )

/** Of every process that works in it. */
export const markOf = (home: string): string => `verify:${basename(home)}:`

/** Ends what a verification that was killed has left running, and removes what it has left on disk. */
export async function freeGoneHomes(shell: Pick<Shell, 'sweep'>, folder: string): Promise<void> {
  for (const name of readdirSync(folder)) {
    const [, pid, born] = named.exec(name) ?? []
    if (pid === undefined || !isGone(Number(pid), born === 'x' ? null : born!)) continue
    await shell.sweep(markOf(name))
    // Somebody else's, or in use after all: the next one may remove it.
    await Promise.allSettled([removeTree(join(folder, name))])
  }
}
