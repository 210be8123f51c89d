// A check that could not do its work for a reason that no coder can mend: a human is asked, and nobody is charged.
import { open } from 'node:fs/promises'
import { EnvironmentError, TerminalError } from '../../ports/errors.ts'
import { holdsInlineTests, isInTestFolder, isTestName } from '../../proof/files/test-file.ts'
import type { CheckResult } from '../../proof/results/check-result.ts'
import { endsOf, type Fault, faultOf } from '../../proof/results/faults.ts'
import type { StepWorld } from '../world.ts'
import { type Bench, type Ran, runCheck } from './run-check.ts'

type Result = Extract<Ran, { status: 'ran' }>
type Unready = Extract<Ran, { status: 'not-set-up' }>

/** What a run on the base says against spending anything; null: nothing. */
export async function faultOfBase(bench: Bench, ran: Ran): Promise<EnvironmentError | null> {
  const where = 'on the base commit, before any change'
  if (ran.status === 'not-set-up') return setUpFails(ran, where)
  const { lack, counts } = ran.result
  if (lack !== undefined && (counts === null || counts.passed === 0)) return await isKept(bench, ran, { lack, where })
  const fault = faultOf(ran.result, bench.check.run)
  if (fault === 'full' || fault === 'lacking') return await cannotStart(bench, ran, { fault, where })
  if (fault === null && ran.result.silent !== true) return null
  if (await isGreenfield(bench)) return null
  return fault === null ? await tellsOfNoTest(bench, ran, where) : await cannotStart(bench, ran, { fault, where })
}

/** What a run on a story's commit says about the machine, and not about the story; null: nothing. */
export async function faultOfRun(
  bench: Bench,
  ran: Result,
  base: CheckResult | null,
): Promise<EnvironmentError | null> {
  const fault = faultOf(ran.result, bench.check.run)
  if (fault === 'full' || fault === 'lacking') return await cannotStart(bench, ran, { fault, where: '' })
  if (ran.result.silent === true && base?.silent === true)
    return await tellsOfNoTest(bench, ran, 'also on the base commit, before any change')
  if (fault === null || (await isGreenfield(bench))) return null
  // What is on record of the base may be from before the machine lost it.
  const now = await runCheck(bench, { name: '-base-now', commit: bench.step.base, overlay: [] })
  if (now.status !== 'ran' || faultOf(now.result, bench.check.run) === null) return null
  return await cannotStart(bench, ran, { fault, where: 'also on the base commit, before any change' })
}

/** Confined, it does not get what it has where its owner runs it. */
async function isKept(
  { world, check }: Bench,
  ran: Result,
  { lack, where }: { lack: string; where: string },
): Promise<EnvironmentError> {
  const message = `the check "${check.name}" (\`${check.run}\`) fails ${where}: ${lack}; ${await shown(world, ran)}`
  const remedy = `See checks.${check.name}.needs in docs/guides/checks.md, or let the check do without`
  return new EnvironmentError(message, `${remedy}. ${all(ran.spool)}${thenGoOn}`)
}

/** A repository that is only begun: a story has to bring what the check needs. */
export async function isGreenfield({ repository, step }: Bench): Promise<boolean> {
  const { base } = step
  const files = await repository.listFiles(base)
  if (files.some((path) => isTestName(path) || isInTestFolder(path))) return false
  const perhaps = files.filter((path) => path.endsWith('.rs')).slice(0, 300)
  const texts = perhaps.length === 0 ? [] : [...(await repository.readFiles(base, perhaps))]
  return !texts.some(([path, bytes]) => holdsInlineTests(path, new TextDecoder().decode(bytes)))
}

/** What the base shows, too, and no test of it: nobody who changed something else is at fault. */
export const failsAsBefore = ({ check }: Bench, { message, tail, lack }: CheckResult): TerminalError =>
  new TerminalError(
    `the check "${check.name}" (\`${check.run}\`) cannot do its work on the base commit, before any change, and fails on this one in the same way: ${message}; ${endsOf(tail)}`,
    `${lack === undefined ? '' : `${lack}. Otherwise: `}Make \`${check.run}\` work on the target branch, name another command in ropewalk.yaml: checks.${check.name}.run, or plan a story that mends it. ${thenGoOn}`,
  )

async function cannotStart(
  { world, check }: Bench,
  ran: Result,
  { fault, where }: { fault: Fault; where: string },
): Promise<EnvironmentError> {
  const what = fault === 'full' ? 'found no room left on the disk' : 'cannot be started'
  const how = [where, ran.result.message].filter((part) => part !== '').join(': ')
  const message = `the check "${check.name}" (\`${check.run}\`) ${what} (${how}); ${await shown(world, ran)}`
  const remedy =
    fault === 'full'
      ? 'Free some space, for example with "ropewalk gc --yes", then go on'
      : `Install what is missing, let "setup" make it, or name another command in ropewalk.yaml: checks.${check.name}.run`
  return new EnvironmentError(message, `${remedy}. ${all(ran.spool)}${thenGoOn}`)
}

async function tellsOfNoTest({ world, check }: Bench, ran: Result, where: string): Promise<EnvironmentError> {
  const message = `the output of the check "${check.name}" (\`${check.run}\`) tells of no test, ${where}; ${await shown(world, ran)}`
  const remedy = `If it is not meant to, say so in ropewalk.yaml: checks.${check.name}.parser: exit-code. If it is, let it print which tests it runs, or leave a report`
  return new EnvironmentError(message, `${remedy}. ${all(ran.spool)}${thenGoOn}`)
}

/** The same for what has to be done before any check. */
export const setUpFails = ({ problem, output, spool }: Omit<Unready, 'status'>, where: string): EnvironmentError =>
  new EnvironmentError(
    `${problem}, ${where}; ${endsOf(output)}`,
    `Make "setup" in ropewalk.yaml work in a fresh checkout of the base. ${spool === undefined ? '' : all(spool)}${thenGoOn}`,
  )

/** Settings are pinned: a mere retry would read the old ones. */
const thenGoOn =
  'Settings that were changed count after `ropewalk answer <question> repin` or `ropewalk resume --repin`'

const all = (spool: string): string => `All it printed: \`less ${spool}\`. `

/** From its beginning, which a long output has pushed out of what was kept of it. */
async function shown(world: StepWorld, { spool, result }: Result): Promise<string> {
  const head = world.redact(await headOf(spool))
  const isWhole = head.length < headLength
  return endsOf(isWhole || head === '' ? head || result.tail : `${head}\n${result.tail}`)
}

const headLength = 2_000

async function headOf(path: string): Promise<string> {
  try {
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headLength), 0, headLength, 0)
      return buffer.subarray(0, bytesRead).toString('utf8')
    } finally {
      await file.close()
    }
  } catch {
    return ''
  }
}
