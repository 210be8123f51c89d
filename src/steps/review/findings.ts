import { chmod, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { Finding } from '../../delivery/judging/finding.ts'
import type { Reproduction, SortedFindings } from '../../delivery/review/review.ts'
import type { ReproduceFindings, TriageFindings } from '../../delivery/step.ts'
import type { Ending } from '../../ports/performer.ts'
import type { Refs } from '../../ports/repository/landings.ts'
import { folderFor } from '../../proof/related/packages.ts'
import { isTestFile } from '../../proof/related/related-tests.ts'
import { runnableBy } from '../../proof/related/single-files.ts'
import { judgeReproduction, type Shown } from '../../proof/review/judge-reproduction.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { findingPrompt, type ReproductionAnswer, reproductionContract } from '../../roles/test-writer/finding.ts'
import { type Triage, triageContract, triagerPrompt } from '../../roles/triager.ts'
import { type Answering, askFor, ordersAsBefore, settledAnswer } from '../agent/ask.ts'
import { takeTurn } from '../agent/turn.ts'
import { linesFor } from '../check/related.ts'
import { type CheckRun, checkFolders, type Overlay, overwrite, type Ran, runCheck } from '../check/run-check.ts'
import { workMessage } from '../merge/message.ts'
import { inCleanPlace } from '../place/clean.ts'
import { reproducedRef, setRef } from '../place/refs.ts'
import { readText } from '../place/text.ts'
import type { Copies, StepWork } from '../work.ts'
import { namedFindings, plainPath, reviewedSubject, settingOf } from './change.ts'

type Triaging = StepWork<TriageFindings>

/** Somebody sorts what reviewers found. Whether the sorting holds is for the law to say. */
export async function triageFindings(work: Triaging): Promise<Ending> {
  const { id: step, story, commit, findings } = work.step
  const { blocks, timeoutMs } = work.input.policy.review
  const question = { contract: triageContract(commit), prompt: await triagePrompt(work), timeoutMs: 2 * timeoutMs }
  return await askFor(work, question, {
    told: (value) => {
      const sorted = value.sorted.map((one) => sortedOf(one, namedFindings(findings)))
      const holdsUp = sorted.some(({ fate, severity }) => fate === 'accepted' && blocks.includes(severity))
      const verdict = value.verdict ?? (holdsUp ? 'needs-work' : 'approve')
      return { type: 'FindingsTriaged', step, story, sorted, verdict }
    },
    none: (problems) => ({ type: 'TriageFaulted', step, story, problems }),
  })
}

export async function triagePrompt(work: Triaging): Promise<Prompt> {
  const { step } = work
  const subject = await reviewedSubject(work, null)
  const findings = namedFindings(step.findings).map((one) => ({ ...one, notes: notesOn(one.finding, step) }))
  const brief = { ...subject.told, findings, problems: step.problems }
  return triagerPrompt(brief, await settingOf(work, 'triager', subject))
}

/** What is known of a finding besides what its reviewer says. */
function notesOn({ fingerprint }: Finding, { outside, disputed }: TriageFindings): string[] {
  return [
    ...(outside.includes(fingerprint) ? ['(The change does not touch this place.)'] : []),
    ...(disputed.includes(fingerprint) ? ['(Another reviewer disputes this, with a quotation.)'] : []),
  ]
}

/** A name that nobody has given is kept as it is: the law knows no such finding. */
export function sortedOf(
  { finding: name, fate, severity, because }: Triage['sorted'][number],
  findings: { name: string; finding: Finding }[],
): SortedFindings {
  const meant = findings.find((one) => one.name === name || one.finding.fingerprint === name)
  return { fingerprint: meant?.finding.fingerprint ?? name, fate, severity, because: because.slice(0, 2_000) }
}

type Reproducing = StepWork<ReproduceFindings, Copies & Refs>

/** For all findings together. */
const timeoutMs = 600_000

/** Findings are tried by tests. It never holds anything up: what cannot be tried stays what it was. */
export async function reproduceFindings(work: Reproducing): Promise<Ending> {
  const { world, step } = work
  const since = world.clock.now()
  const leftMs = (): number => timeoutMs - (world.clock.now() - since)
  const { asked, texts } = await writeTests(work)
  if (asked.type !== 'answered' && asked.type !== 'failed') return asked
  const answer = asked.type === 'answered' ? asked.answer : { value: null, problems: [asked.message] }
  const reproductions: Reproduction[] = []
  const kept: WrittenTest[] = []
  for (const { name, finding } of namedFindings(step.findings)) {
    const written = answer.value === null ? answer.problems.join('; ') : testFor(name, answer.value, texts)
    const shown = typeof written === 'string' ? unsure(written) : await tryTest(work, { written, name, leftMs })
    const isShown = typeof written !== 'string' && shown.result !== 'inconclusive'
    const test = isShown ? `${written.file}: ${written.test}` : null
    reproductions.push({ fingerprint: finding.fingerprint, ...shown, test })
    if (isShown && shown.result === 'confirmed') kept.push(written)
  }
  const red = kept.length === 0 ? null : await keepRed(work, kept)
  return { type: 'FindingsReproduced', step: step.id, story: step.story, reproductions, red }
}

/** In a copy of the commit; of what is changed there only new test files are looked at: `texts`, as they were left. */
async function writeTests(
  work: Reproducing,
): Promise<{ asked: Answering<ReproductionAnswer>; texts: Map<string, string> }> {
  const { commit, base, findings } = work.step
  const contract = reproductionContract(
    commit,
    namedFindings(findings).map(({ name }) => name),
  )
  const question = { contract, prompt: await tryingPrompt(work), timeoutMs }
  return await inCleanPlace(work, { name: '', commit }, async (place) => {
    await ordersAsBefore(work.repository, { place, base, commit })
    const first = await takeTurn(work, { ...question, workspace: place, session: null, totals: null, again: 0 })
    const asked = await settledAnswer(work, { ...question, place, first })
    const value = asked.type === 'answered' ? asked.answer.value : null
    return { asked, texts: await testsIn(work, place, value?.tests ?? []) }
  })
}

export async function tryingPrompt(work: Reproducing): Promise<Prompt> {
  const { input, step } = work
  const subject = await reviewedSubject(work, null)
  const checks = input.policy.checks.flatMap((check) =>
    check.related === null ? [] : [{ ...check, run: check.related }],
  )
  const brief = { ...subject.told, findings: namedFindings(step.findings), checks }
  return findingPrompt(brief, await settingOf(work, 'test-writer-finding', subject))
}

async function testsIn(
  { repository, step }: Reproducing,
  place: string,
  written: ReproductionAnswer['tests'],
): Promise<Map<string, string>> {
  const there = new Set(await repository.listFiles(step.commit))
  const texts = new Map<string, string>()
  for (const { file } of written) {
    const path = plainPath(file)
    if (there.has(path) || !isPlain(path) || !(await isInside(place, path))) continue
    const text = await readText(join(place, path), longestTest)
    if (text !== null && isTestFile(path, text)) texts.set(path, text)
  }
  return texts
}

const longestTest = 200_000

/** As git would write it, and nothing that git keeps for itself. */
const isPlain = (path: string): boolean =>
  path.split('/').every((part) => !['', '.', '..', '.git'].includes(part.toLowerCase()))

/** A folder may be a link that leads out. */
async function isInside(place: string, path: string): Promise<boolean> {
  const [folder, root] = await Promise.all([realpath(dirname(join(place, path))).catch(() => ''), realpath(place)])
  return folder === join(root, dirname(path))
}

/** The test for a finding; or why there is none. */
function testFor(name: string, { tests, none }: ReproductionAnswer, texts: Map<string, string>): WrittenTest | string {
  const said = tests.find(({ finding }) => finding === name)
  if (said === undefined) return none.find(({ finding }) => finding === name)?.why ?? 'no test was written for it'
  const file = plainPath(said.file)
  const text = texts.get(file)
  return text === undefined ? `${said.file} is no new test file that was written` : { ...said, file, text }
}

/** The tests that fail as predicted, as a commit on what was reviewed: the next round starts there. */
async function keepRed(work: Reproducing, kept: WrittenTest[]): Promise<{ commit: CommitId; tree: TreeId }> {
  const { input, step, repository } = work
  const request = { name: '-kept', commit: step.commit }
  const { commit, tree } = await inCleanPlace(work, request, async (path) => {
    for (const { file, text } of kept) {
      await overwrite(path, { path: file, text })
      await chmod(join(path, file), 0o644)
    }
    return await repository.commitPlace({
      ...{ path, commit: step.commit, base: step.commit, only: kept.map(({ file }) => file) },
      message: workMessage(input),
    })
  })
  await setRef(repository, reproducedRef(input.delivery, step), { from: null, to: commit })
  return { commit, tree }
}

/** A test file that was written for a finding. */
type WrittenTest = ReproductionAnswer['tests'][number] & { text: string }

interface Trying {
  written: WrittenTest
  name: string
  leftMs: () => number
}

const unsure = (why: string): Shown => ({ result: 'inconclusive', why: why.slice(0, 1_000) })
const tooLate = 'the time for trying findings is over'

/** The word of a test on a commit, in a clean place: one that fails or passes only sometimes says nothing. */
async function tryTest(work: Reproducing, trying: Trying): Promise<Shown> {
  const { written, name, leftMs } = trying
  const { commit } = work.step
  const bench = await benchFor(work, written.file)
  if (bench === null) return unsure(`no check has a command that can run ${written.file} alone`)
  const shown: Shown[] = []
  for (const run of [0, 1]) {
    if (leftMs() <= 0) return unsure(tooLate)
    const overlay = [{ path: written.file, text: written.text }]
    const ran = await runInTime(bench, trying, { name: `-${name}-${run}`, commit, overlay })
    if (ran.status === 'not-set-up') return unsure(ran.problem)
    shown.push(judgeReproduction(ran.result, written))
    if (shown[0]!.result === 'inconclusive') return shown[0]!
  }
  const [first, second] = shown as [Shown, Shown]
  if (first.result !== second.result) return unsure(`${first.why}, and then not so again: ${second.why}`)
  const problem = first.result === 'refuted' ? await whyRefutesNothing(bench, commit, trying) : null
  return problem === null ? second : unsure(`${second.why}, but ${problem}`)
}

const runInTime = (
  bench: CheckRun,
  { leftMs }: Trying,
  request: { name: string; commit: string; overlay: Overlay[] },
): Promise<Ran> =>
  runCheck({ ...bench, check: { ...bench.check, timeoutMs: Math.min(bench.check.timeoutMs, leftMs()) } }, request)

/** The first check that can run the file alone. */
async function benchFor(work: Reproducing, file: string): Promise<CheckRun | null> {
  for (const check of work.input.policy.checks) {
    if (check.related === null || !runnableBy(check.related)(file)) continue
    const folders = await checkFolders(work.repository, check, work.step.commit)
    if (folderFor(file, folders) === null) continue
    const lines = linesFor({ check }, [{ path: file }], folders)
    if (lines !== null) return { ...work, check, lines: async () => lines }
  }
  return null
}

/** Runs a test that passes on the code as it would be if the finding were true. Why it refutes nothing; null: it fails there, as predicted. */
async function whyRefutesNothing(bench: CheckRun, commit: string, trying: Trying): Promise<string | null> {
  const { ifTrue, file, text } = trying.written
  if (ifTrue === null) return 'nobody said how the code would be if the finding were true: it refutes nothing'
  const code = await bench.repository.readFile(commit, ifTrue.file)
  const parts = code?.split(ifTrue.is) ?? []
  if (parts.length !== 2 || isTestFile(ifTrue.file, code))
    return `${ifTrue.file} does not have once, in code, what it is said to have: it refutes nothing`
  if (trying.leftMs() <= 0) return tooLate
  const overlay = [
    { path: ifTrue.file, text: parts.join(ifTrue.wouldBe) },
    { path: file, text },
  ]
  const ran = await runInTime(bench, trying, { name: '-if-true', commit, overlay })
  if (ran.status !== 'ran') return ran.problem
  const { result, why } = judgeReproduction(ran.result, trying.written)
  return result === 'confirmed' ? null : `where the finding is true, ${why}: it refutes nothing`
}
