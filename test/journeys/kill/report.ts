import type { Row } from './matrix.ts'
import type { End } from './walk.ts'

/** The page of the full matrix. */
export function report(rows: Row[], { unreached, calm }: { unreached: string[]; calm: End }): string {
  const failed = rows.filter((row) => row.problems.length > 0)
  return `# The kill matrix

Written by \`npm run test:kill\`: the built binary delivers a drafted plan of two stories, the second depending on the first, one of them red in its first round, with a set-up and a fix command. At each named moment it is killed with -9, resumed, and compared with the undisturbed delivery of ${calm.turns} agent turns.

The same end means: exit code 0, the same trees and commits on the target, one outcome for each step, never two agents in one workspace, no process left, every commit that the log names reachable in the clone, an intact chain, no workspace or place left, and a user's repository that is untouched but for the landing. A turn that was in flight may have to be paid again; the ledger says so.

**${rows.length} kills, ${rows.length - failed.length} came to the same end, ${failed.length} did not.**

| killed at (name:time) | end | agent turns |
|---|---|---|
${rows.map(({ point, turns, problems }) => `| \`${point}\` | ${problems.join('; ') || 'same'} | ${turns} |`).join('\n')}

Not reached by this walk: ${unreached.map((name) => `\`${name}\``).join(', ') || 'none'}.
`
}
