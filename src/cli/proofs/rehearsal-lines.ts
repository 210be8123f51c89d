import { oneLine } from '../../std/text/plain-text.ts'
import type { RehearsalView } from '../../views/rehearsal/rehearsal.ts'
import type { StoppedCommit } from '../../views/rehearsal/runs.ts'
import { counted, shortId } from '../../views/step-text.ts'
import { bold, dim, type Line, red, yellow } from '../show/line.ts'
import { table } from '../show/table.ts'
import { firstOnes, runsLines, share } from './run-lines.ts'

/** How much of the work that is there would have been stopped, and by what. */
export function rehearsalLines(view: RehearsalView): Line[] {
  const { target, commits, stopped, kinds, rules, told, advice, runs, interrupted } = view
  return [
    ...(interrupted ? [[yellow('Interrupted'), ': this is what is known by now.']] : []),
    [
      bold(`${stopped} of ${counted(commits, 'commit')}`),
      ` of ${target} would have been stopped (${share(stopped, commits)})`,
    ],
    ...table(
      kinds
        .filter((kind) => kind.commits > 0)
        .map((kind) => [kind.kind, `${kind.stopped} of ${kind.commits}`, dim(share(kind.stopped, kind.commits))]),
      '  ',
    ),
    ...rules.flatMap(({ rule, commits: own }): Line[] => [
      '',
      [red(rule), dim(`  ${counted(own.length, 'commit')}`)],
      ...firstOnes(own.map(stoppedLine)),
    ]),
    ...(told.length === 0
      ? []
      : ['', [dim(`Only told, never stopped: ${told.map((one) => `${one.rule} on ${one.commits}`).join(', ')}`)]]),
    ...(advice.length === 0 ? [] : ['', bold('What would help'), ...advice.map((text) => `  ${text}`)]),
    ...(runs === null
      ? ['', dim('Only what reads a change was asked; nothing was run, and nothing was written.')]
      : runsLines(runs)),
  ]
}

const stoppedLine = ({ commit, subject, file, message }: StoppedCommit): Line => [
  `  ${shortId(commit)}  ${oneLine(subject, 50)}  `,
  dim(`${file ?? ''}: ${oneLine(message, 120)}`),
]
