import { execFileSync } from 'node:child_process'
import type { End } from './end.ts'
import type { Row } from './matrix.ts'

export const section = (title: string, { rows, calm }: { rows: Row[]; calm: End }): string => `## ${title}

Undisturbed: ${calm.turns} agent turns, ${calm.events.length} events.

| killed at (name:time) | end | agent turns |
|---|---|---|
${rows.map(({ point, turns, problems }) => `| \`${point}\` | ${problems.join('; ') || 'same'} | ${turns} |`).join('\n')}
`

/** The page of the full matrix. */
export function page(rows: Row[], sections: string[], unreached: string[]): string {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const failed = rows.filter((row) => row.problems.length > 0)
  return `# The kill matrix

Written by \`npm run test:kill\`. The built binary delivers into a real repository. At each named moment it is killed with -9, by turns alone and together with all that it has started (git, agents, checks), resumed, and compared with the undisturbed delivery. Of commit \`${commit}\`.

- *The plain walk*: a drafted plan of two stories, the second depending on the first, which is red in its first round; a set-up and a fix command.
- *The troubled walk*: an invalid draft, a plan gate, an agent that crashes and one that asks, two stories that conflict, and a target that has moved when it comes to landing.
- *The judged walk*: a story for which every judge has to run tests. It is killed while each of these runs is under way, by turns alone and together with all that it has started.
- *So much room*: the home has so many kilobytes and no more; the delivery stops and says so, somebody makes room, and it goes on.

The same end means: exit code 0, the same trees and commits on the target, one outcome for each step, never two agents in one workspace, no process left, every commit that the log names reachable in the clone, an intact chain, no workspace or place left, and a user's repository that is untouched but for the landing. A turn that was in flight may have to be paid again; the ledger says so.

**${rows.length} kills, ${rows.length - failed.length} came to the same end, ${failed.length} did not.**

${sections.join('\n')}
## Not reached

Nothing of these happens in the two walks: ${unreached.map((name) => `\`${name}\``).join(', ') || 'none'}.
`
}
