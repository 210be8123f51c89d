import type { CommitKind, Finding } from '../../delivery/judging/finding.ts'
import { adviceOn, adviceOnUnjudged } from './advice.ts'

interface RunCommit {
  commit: string
  subject: string
  unjudged: string | null
  words: { judge: string; findings: Finding[]; durationMs: number }[]
  durationMs: number
}

export interface StoppedCommit {
  commit: string
  subject: string
  kind: CommitKind
  rule: string
  file: string | null
  message: string
  /** How many there are of this rule, or of this judge, on this commit. */
  findings: number
}

/** What came of those that were run. */
export interface RunsView {
  /** How many were chosen; fewer are told of where it was interrupted. */
  sample: number
  run: number
  judged: number
  stopped: number
  /** Old tests fail: not stopped, but somebody would have been asked. */
  asked: number
  durationMs: number
  kinds: { kind: CommitKind; judged: number; stopped: number; asked: number }[]
  judges: { judge: string; commits: number; stopped: StoppedCommit[]; asked: StoppedCommit[] }[]
  unjudged: { commit: string; subject: string; kind: CommitKind; reason: string }[]
  advice: string[]
}

/** Old tests that fail lead to a question: whether the requirement demands it. */
const asks = (judge: string): boolean => judge.startsWith('guard:')

type Kinded = RunCommit & { kind: CommitKind }

export function runsView(
  sample: readonly { commit: string; kind: CommitKind }[],
  runs: readonly RunCommit[],
): RunsView {
  const kindsOf = new Map(sample.map(({ commit, kind }) => [commit, kind]))
  const all = runs.map((one): Kinded => ({ ...one, kind: kindsOf.get(one.commit)! }))
  const judged = all.filter(({ unjudged }) => unjudged === null)
  const isHeld = ({ words }: Kinded, by: (judge: string) => boolean): boolean =>
    words.some(({ judge, findings }) => findings.length > 0 && by(judge))
  const stopped = judged.filter((one) => isHeld(one, (judge) => !asks(judge)))
  const asked = judged.filter((one) => isHeld(one, asks))
  const count = (some: Kinded[], kind: CommitKind): number => some.filter((one) => one.kind === kind).length
  const judges = judgesIn(judged)
  const unjudged = all.filter((one) => one.unjudged !== null)
  return {
    ...{ sample: sample.length, run: all.length, judged: judged.length, stopped: stopped.length, asked: asked.length },
    durationMs: all.reduce((sum, { durationMs }) => sum + durationMs, 0),
    kinds: [...new Set(kindsOf.values())].map((kind) => ({
      ...{ kind, judged: count(judged, kind), stopped: count(stopped, kind), asked: count(asked, kind) },
    })),
    judges,
    unjudged: unjudged.map(({ commit, subject, kind, unjudged: reason }) => ({
      ...{ commit, subject, kind, reason: reason! },
    })),
    advice: [...adviceOn(byRule(judges)), ...adviceOnUnjudged(unjudged.map((one) => one.unjudged!))],
  }
}

function judgesIn(judged: readonly Kinded[]): RunsView['judges'] {
  const names = [...new Set(judged.flatMap(({ words }) => words.map(({ judge }) => judge)))]
  return names.map((judge) => {
    const spoken = judged.flatMap((one) => {
      const word = one.words.find((other) => other.judge === judge)
      return word === undefined ? [] : [{ one, findings: word.findings }]
    })
    const held = spoken.filter(({ findings }) => findings.length > 0).map(({ one, findings }) => shown(one, findings))
    return {
      judge,
      commits: spoken.length,
      ...(asks(judge) ? { stopped: [], asked: held } : { stopped: held, asked: [] }),
    }
  })
}

function shown({ commit, subject, kind }: Kinded, findings: Finding[]): StoppedCommit {
  const { rule, file, message } = findings[0]!
  return { commit, subject, kind, rule, file, message: message.split('\n', 1)[0]!, findings: findings.length }
}

function byRule(judges: RunsView['judges']): { rule: string; commits: StoppedCommit[] }[] {
  const all = judges.flatMap(({ stopped, asked }) => [...stopped, ...asked])
  return [...new Set(all.map(({ rule }) => rule))].map((rule) => ({
    rule,
    commits: all.filter((one) => one.rule === rule),
  }))
}
