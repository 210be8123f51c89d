import { blocks, type CommitKind, commitKinds, type Finding } from '../delivery/judging/finding.ts'

interface RehearsedCommit {
  commit: string
  subject: string
  kind: CommitKind
  findings: Finding[]
}

/** What would have become of work that is there already. */
export interface RehearsalView extends ReturnType<typeof rehearsalView> {
  /** Null: nothing was run. */
  runs: RunsView | null
  /** Somebody ended it: this is what was known by then. */
  interrupted: boolean
}

export function rehearsalView(target: string, commits: readonly RehearsedCommit[]) {
  const isStopped = ({ findings }: RehearsedCommit): boolean => findings.some(blocks)
  const kinds = commitKinds.map((kind) => {
    const own = commits.filter((one) => one.kind === kind)
    return { kind, commits: own.length, stopped: own.filter(isStopped).length }
  })
  const rules = byFrequency(commits, blocks).map(([rule, own]) => ({
    rule,
    commits: own.map((one) =>
      stoppedBy(
        one,
        one.findings.filter((finding) => finding.rule === rule && blocks(finding)),
      ),
    ),
  }))
  // What would only have been told.
  const told = byFrequency(commits, ({ severity }) => severity === 'suggestion')
  return {
    ...{ target, commits: commits.length, stopped: commits.filter(isStopped).length, kinds, rules },
    told: told.map(([rule, own]) => ({ rule, commits: own.length })),
    advice: adviceOn(rules),
  }
}

/** On which commits each rule has such findings, the most frequent first. */
function byFrequency(
  commits: readonly RehearsedCommit[],
  counts: (finding: Finding) => boolean,
): [rule: string, commits: RehearsedCommit[]][] {
  const rules = new Map<string, RehearsedCommit[]>()
  for (const one of commits)
    for (const rule of new Set(one.findings.filter(counts).map((finding) => finding.rule)))
      rules.set(rule, [...(rules.get(rule) ?? []), one])
  return [...rules].sort(([, a], [, b]) => b.length - a.length)
}

export type StoppedCommit = ReturnType<typeof stoppedBy>

/** By which findings, of one rule or of one judge: the first of them, and how many there are. */
function stoppedBy({ commit, subject, kind }: Omit<RehearsedCommit, 'findings'>, findings: Finding[]) {
  const { rule, file, message } = findings[0]!
  return { commit, subject, kind, rule, file, message, findings: findings.length }
}

/** What running can say anything about. */
const judgedByRunning: readonly CommitKind[] = ['code with tests', 'tests only', 'code only']

/** So many of those that change code or tests: in turns of each kind, spread over the time; always the same ones. */
export function rehearsalSample<T extends { kind: CommitKind }>(commits: readonly T[], most: number): T[] {
  const kinds = judgedByRunning.map((kind) => commits.filter((one) => one.kind === kind))
  const counts = kinds.map(() => 0)
  for (let left = most; left > 0; ) {
    const open = kinds.flatMap((own, index) => (counts[index]! < own.length ? [index] : []))
    if (open.length === 0) break
    for (const index of open.slice(0, left)) counts[index]! += 1
    left -= Math.min(left, open.length)
  }
  const chosen = new Set(kinds.flatMap((own, index) => spread(own, counts[index]!)))
  return commits.filter((one) => chosen.has(one))
}

const spread = <T>(all: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, index) => all[Math.floor(((index + 0.5) * all.length) / count)]!)

interface RunCommit extends Omit<RehearsedCommit, 'kind' | 'findings'> {
  unjudged: string | null
  words: { judge: string; findings: Finding[] }[]
  durationMs: number
}
type Kinded = RunCommit & { kind: CommitKind }

/** Old tests that fail lead to a question: whether the requirement demands it. */
export const asksOnly = (judge: string): boolean => judge.startsWith('guard:')

export type RunsView = ReturnType<typeof runsView>

/** What came of those that were run; fewer than the sample where it was interrupted. */
export function runsView(sample: readonly { commit: string; kind: CommitKind }[], runs: readonly RunCommit[]) {
  const kindsOf = new Map(sample.map(({ commit, kind }) => [commit, kind]))
  const all = runs.map((one): Kinded => ({ ...one, kind: kindsOf.get(one.commit)! }))
  const judged = all.filter(({ unjudged }) => unjudged === null)
  const isHeld = ({ words }: Kinded, asking: boolean): boolean =>
    words.some(({ judge, findings }) => findings.length > 0 && asksOnly(judge) === asking)
  const stopped = judged.filter((one) => isHeld(one, false))
  const asked = judged.filter((one) => isHeld(one, true))
  const count = (some: Kinded[], kind: CommitKind): number => some.filter((one) => one.kind === kind).length
  const judges = judgesIn(judged)
  const unjudged = all.flatMap(({ commit, subject, kind, unjudged: reason }) =>
    reason === null ? [] : [{ commit, subject, kind, reason }],
  )
  return {
    ...{ sample: sample.length, run: all.length, judged: judged.length, stopped: stopped.length, asked: asked.length },
    durationMs: all.reduce((sum, { durationMs }) => sum + durationMs, 0),
    kinds: [...new Set(kindsOf.values())].map((kind) => ({
      ...{ kind, judged: count(judged, kind), stopped: count(stopped, kind), asked: count(asked, kind) },
    })),
    judges,
    unjudged,
    advice: [...adviceOn(byRule(judges)), ...adviceOnUnjudged(unjudged.map(({ reason }) => reason))],
  }
}

function judgesIn(judged: readonly Kinded[]) {
  const names = [...new Set(judged.flatMap(({ words }) => words.map(({ judge }) => judge)))]
  return names.map((judge) => {
    const spoken = judged.flatMap((one) =>
      one.words.filter((word) => word.judge === judge).map((word) => ({ one, ...word })),
    )
    const held = spoken
      .filter(({ findings }) => findings.length > 0)
      .map(({ one, findings }) => {
        const found = stoppedBy(one, findings)
        return { ...found, message: found.message.split('\n', 1)[0]! }
      })
    const isAsking = asksOnly(judge)
    return { judge, commits: spoken.length, stopped: isAsking ? [] : held, asked: isAsking ? held : [] }
  })
}

interface Stopping {
  rule: string
  commits: StoppedCommit[]
}

function byRule(judges: ReturnType<typeof judgesIn>): Stopping[] {
  const all = judges.flatMap(({ stopped, asked }) => [...stopped, ...asked])
  const rules = [...new Set(all.map(({ rule }) => rule))]
  return rules.map((rule) => ({ rule, commits: all.filter((one) => one.rule === rule) }))
}

/** Which settings, or which words in a plan, would have let such work pass. */
const adviceOn = (rules: readonly Stopping[]): string[] =>
  rules.flatMap(({ rule, commits }) => {
    const advice = Object.hasOwn(advices, rule) ? advices[rule] : undefined
    return advice === undefined ? [] : [advice(commits)]
  })

const advices: Record<string, (commits: Stopping['commits']) => string> = {
  'protected-file': (commits) =>
    commits.every(({ message }) => message.includes('by the settings'))
      ? `\`protect\` names what is everyday work here: ${placesOf(commits)}. Take out what stories may change.`
      : `Stories that are to change how work is judged say so: \`mayChange: [${placesOf(commits)}]\` in the plan.`,
  'test-deleted': () => 'A story that is to remove tests names them under `mayChange` in the plan.',
  'test-skipped': () => 'A story that is to switch a test off names its file under `mayChange` in the plan.',
  'binary-file': (commits) => `A story that brings binary files declares them: \`files: [${placesOf(commits)}]\`.`,
  'build-artefact': (commits) => `What is built is committed here: \`files: [${placesOf(commits)}]\` in such stories.`,
  'secret-file': (commits) =>
    `If these hold no secrets, the story names them under \`mayChange\`: ${placesOf(commits)}.`,
  secret: () => 'Look at each: a real secret must be replaced; a made-up one says so, as in `example-key`.',
  'old-tests-fail': (commits) =>
    `${some(commits)} what old tests expect: \`changedTests\` says who decides that, and a story that is to change them names them under \`mayChange\`. What no test leans on is no test material: \`tests.product\`.`,
  'tests-not-executed': () =>
    'Tests that are not executed any more are taken for lost: a story that is to switch them off names their files under `mayChange`.',
  'tests-deaf': (commits) =>
    `Tests seem to notice less. If these are not product code, say so: \`tests.material: [${placesOf(commits)}]\`.`,
  'test-without-witness': () =>
    'Tests that pass without the change they came with: a story that only describes what is there says `tests: characterisation` in the plan; `witness: false` switches the witness off.',
  'change-unnoticed': () => 'Where tests need not notice every change, `mutation: tell` tells of it and stops nothing.',
  'called-in-vain': () => 'Where tests need not notice every change, `mutation: tell` tells of it and stops nothing.',
  'tests-empty': () => 'Where tests need not notice a breakage, `mutation: tell` tells of it and stops nothing.',
  'set-up-failed': () => 'The set-up has to work on every commit: look at `setup`.',
  'repository-inside': (commits) => `A story that adds a submodule declares it: \`files: [${placesOf(commits)}]\`.`,
}

/** What would let those be judged of which nobody can say anything. */
const adviceOnUnjudged = (reasons: readonly string[]): string[] =>
  unjudgedAdvices.flatMap(([when, advice]) => (reasons.some((reason) => when.test(reason)) ? [advice] : []))

const unjudgedAdvices: [when: RegExp, advice: string][] = [
  [
    /tells? of no test/,
    'The output of a check tells of no test: name its runner with `checks.<name>.parser`, or say `parser: exit-code`.',
  ],
  [/cannot be set up/, 'The parents of commits cannot be set up: `setup` has to work on older commits, too.'],
  [
    /is red/,
    'The parents of commits are red: tests that fail for the machine are set aside with `quarantine`; a check that needs the network, docker or your home says so with `checks.<name>.needs`.',
  ],
]

const some = (commits: Stopping['commits']): string =>
  commits.length === 1 ? 'One commit changes' : `${commits.length} commits change`

const mostPlaces = 4

/** The files that occur most. */
function placesOf(commits: Stopping['commits']): string {
  const counts = new Map<string, number>()
  for (const { file } of commits) if (file !== null) counts.set(file, (counts.get(file) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a).map(([file]) => file)
  return [...sorted.slice(0, mostPlaces), ...(sorted.length > mostPlaces ? ['…'] : [])].join(', ')
}
