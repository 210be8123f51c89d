import { chmod, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { Reproduction } from '../../delivery/review/review.ts'
import type { ReproduceFindings } from '../../delivery/step.ts'
import type { Ending } from '../../ports/performer.ts'
import type { Refs } from '../../ports/repository/landings.ts'
import { isTestFile } from '../../proof/related/related-tests.ts'
import type { Prompt } from '../../roles/prompt/prompt.ts'
import { findingPrompt, type ReproductionAnswer, reproductionContract } from '../../roles/test-writer/finding.ts'
import { type Answering, ordersAsBefore, settledAnswer } from '../agent/ask.ts'
import { takeTurn } from '../agent/turn.ts'
import { overwrite } from '../check/run-check.ts'
import { workMessage } from '../merge/message.ts'
import { inCleanPlace } from '../place/clean.ts'
import { reproducedRef, setRef } from '../place/refs.ts'
import { readText } from '../place/text.ts'
import type { Copies, StepWork } from '../work.ts'
import { namedFindings, plainPath, reviewedSubject, settingOf } from './change.ts'
import { tryTest, type WrittenTest } from './try-test.ts'

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
    const shown =
      typeof written === 'string'
        ? { result: 'inconclusive' as const, why: written.slice(0, 1_000) }
        : await tryTest(work, { written, name, leftMs })
    const isShown = typeof written !== 'string' && shown.result !== 'inconclusive'
    const test = isShown ? `${written.file}: ${written.test}` : null
    reproductions.push({ fingerprint: finding.fingerprint, ...shown, test })
    if (isShown && shown.result === 'confirmed') kept.push(written)
  }
  const red = kept.length === 0 ? null : await keepRed(work, kept)
  return { type: 'FindingsReproduced', step: step.id, story: step.story, reproductions, red }
}

interface Writing {
  asked: Answering<ReproductionAnswer>
  /** Test files that were not there before, as they were left. */
  texts: Map<string, string>
}

/** In a copy of the commit; of what is changed there only new test files are looked at. */
async function writeTests(work: Reproducing): Promise<Writing> {
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

/** What is told to whoever tries findings. */
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
  path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git')

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
