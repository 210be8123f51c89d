import type { CommitId } from '../../delivery/ids.ts'
import type { Verdict } from '../../delivery/judging/finding.ts'
import type { Commits } from '../../ports/repository/commits.ts'
import { folderFor } from '../../proof/related/packages.ts'
import { type ChosenTest, type RelatedChoice, relatedTests } from '../../proof/related/related-tests.ts'
import { commandFor, runnableBy } from '../../proof/related/single-files.ts'
import { type Tree, worthReading } from '../../proof/related/tree.ts'
import { invariant } from '../../std/never.ts'
import { asFinding } from '../as-finding.ts'
import type { BaseRuns } from './base-runs.ts'
import { environmentKeyOf } from './proof.ts'
import { type Bench, type CheckLine, checkFolders } from './run-check.ts'
import { tryCheck } from './trial.ts'
import { lookUp, verdictFrom } from './verdict.ts'

/** The word of a check's tests that have to do with the change. It proves nothing: all of the check does that later. */
export async function relatedVerdict(bench: Bench, bases: BaseRuns): Promise<Verdict> {
  const { known, baseTree } = await lookUp(bench)
  if (known !== null) return verdictFrom([])
  const { folders, choice } = await chooseTests(bench)
  const lines = linesFor(bench, choice.tests, folders)
  const left = leftToTheFullCheck(bench, choice, lines)
  if (left !== null) return noted(bench, `left to the full check: ${left}`, choice.tests)
  const some: Bench = { ...bench, lines: (commit) => linesAt(bench, { tests: choice.tests, folders, commit }) }
  const trial = { name: '', overlay: [], baseTree, environment: await environmentKeyOf(bench), bases, full: false }
  const ran = await tryCheck(some, trial)
  const note = noted(
    bench,
    `${choice.tests.length} of ${choice.of} test files have to do with the change`,
    choice.tests,
  )
  if (ran.status === 'passed') return { ...note, concerns: ran.concerns }
  if (ran.status === 'none') return ran
  return { ...ran, findings: [...ran.findings, ...note.findings] }
}

const mostFiles = 30_000

export async function chooseTests({
  repository,
  step,
  input,
  check,
}: Bench): Promise<{ folders: string[]; choice: RelatedChoice }> {
  const { base, commit } = step
  const changes = await repository.diff(base, commit)
  const folders = await checkFolders(repository, check, commit)
  const tree = await readTree(repository, commit)
  if (tree === null) {
    const because = 'there are too many files to read'
    return { folders, choice: { status: 'unknown', tests: [], of: 0, because } }
  }
  const mapping = input.policy.tests.related
  const runs = runnableBy(check.related ?? '')
  return { folders, choice: relatedTests({ changes, tree, mapping, folders, runs }) }
}

/** The files of a commit, and the texts that tell who needs whom; null: they are too many. */
export async function readTree(repository: Commits, commit: CommitId): Promise<Tree | null> {
  const files = await repository.listFiles(commit)
  const wanted = files.filter(worthReading)
  if (wanted.length > mostFiles) return null
  const texts = new Map<string, string>()
  for (const [path, bytes] of await repository.readFiles(commit, wanted))
    texts.set(path, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  return { files: new Set(files), texts }
}

/** Where all of the check runs on the story anyway, most of it need not run twice; why, or null. */
function leftToTheFullCheck({ check }: Bench, choice: RelatedChoice, lines: CheckLine[] | null): string | null {
  if (choice.status === 'none' || choice.status === 'unknown') return choice.because
  if (lines === null) return `${choice.tests.length} related test files are too many for one command`
  return choice.status === 'many' && check.full === 'story' ? choice.because : null
}

/** On the base only the files that are there. */
async function linesAt(
  bench: Bench,
  { tests, folders, commit }: { tests: ChosenTest[]; folders: string[]; commit: CommitId },
): Promise<CheckLine[]> {
  const there = new Set(await bench.repository.listFiles(commit))
  return (
    linesFor(
      bench,
      tests.filter(({ path }) => there.has(path)),
      folders,
    ) ?? []
  )
}

/** One command for each folder; null when one of them would be too long. */
export function linesFor(
  { check }: Pick<Bench, 'check'>,
  tests: readonly { path: string }[],
  folders: string[],
): CheckLine[] | null {
  invariant(check.related !== null, `${check.name} has no command for single files`)
  const lines: CheckLine[] = []
  for (const folder of folders) {
    const files = tests.map(({ path }) => path).filter((path) => folderFor(path, folders) === folder)
    if (files.length === 0) continue
    const run = commandFor(
      check.related,
      files.map((path) => (folder === '' ? path : path.slice(folder.length + 1))),
    )
    if (run === null) return null
    lines.push({ folder, run })
  }
  return lines
}

/** What was chosen and why, on record and in nobody's way. */
function noted({ check }: Bench, what: string, tests: ChosenTest[]): Extract<Verdict, { status: 'findings' }> {
  const source = `related:${check.name}`
  const chosen = tests.map(({ path, because }) => `${path} ${because}`)
  const some = chosen.slice(0, 3).join('; ')
  const message = some === '' ? what : `${what}: ${some}${chosen.length > 3 ? '; …' : ''}`
  const evidence = chosen.join('\n').slice(0, 4_000)
  const about = { severity: 'note', fixTarget: 'story', key: [source, 'tests-chosen'] } as const
  const finding = asFinding({ source, rule: 'tests-chosen', message, evidence, ...about })
  return { status: 'findings', findings: [finding], failures: 0, proof: null, concerns: [] }
}
