import { oneLine } from '../../../std/text/plain-text.ts'
import type { RehearsalView, StoppedCommit } from '../../../views/rehearsal/rehearsal.ts'
import { counted, shortId } from '../../../views/step-text.ts'
import { bold, dim, type Line, red } from '../line.ts'
import { table } from '../table.ts'

/** How much of the work that is there would have been stopped, and by what. */
export function rehearsalLines({ target, commits, stopped, kinds, rules, told, advice }: RehearsalView): Line[] {
  const share = (part: number, of: number): string => `${((100 * part) / Math.max(1, of)).toFixed(1)} %`
  return [
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
      ...own.slice(0, mostShown).map(stoppedLine),
      ...(own.length > mostShown ? [dim(`  … ${own.length - mostShown} more: --json has them all`)] : []),
    ]),
    ...(told.length === 0
      ? []
      : ['', [dim(`Only told, never stopped: ${told.map((one) => `${one.rule} on ${one.commits}`).join(', ')}`)]]),
    ...(advice.length === 0 ? [] : ['', bold('What would help'), ...advice.map((text) => `  ${text}`)]),
    ...['', dim('Only what reads a change was asked; nothing was run, and nothing was written.')],
  ]
}

const mostShown = 5

const stoppedLine = ({ commit, subject, file, message }: StoppedCommit): Line => [
  `  ${shortId(commit)}  ${oneLine(subject, 50)}  `,
  dim(`${file ?? ''}: ${oneLine(message, 120)}`),
]
