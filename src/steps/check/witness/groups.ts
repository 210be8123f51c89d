import type { CheckPolicy } from '../../../delivery/policy.ts'
import type { Change } from '../../../proof/files/change.ts'
import { folderFor } from '../../../proof/related/packages.ts'
import { runnableBy } from '../../../proof/related/single-files.ts'
import { changedTests } from '../../../proof/witness/named-tests.ts'
import type { Subject } from '../../../proof/witness/subject.ts'
import { checkFolders } from '../lines.ts'
import type { Court } from '../run-check.ts'
import { withSingleFiles } from '../single/single-files.ts'

/** Test files that one check can run, in parts that are run by one command each. */
export interface Group {
  /** Tells its runs from those of the others. */
  name: string
  check: CheckPolicy
  /** Where the check runs. */
  folders: string[]
  parts: Change[][]
}

const mostParts = 12

/** Each file goes to the first check that can run it alone. */
export async function groupsOf(court: Court, subject: Subject, checks: CheckPolicy[]): Promise<Group[]> {
  const groups: Group[] = []
  let open = touchedTests(subject)
  for (const one of checks) {
    const check = await withSingleFiles(court.repository, one, court.performance.step.base)
    if (check === null) continue
    const folders = await checkFolders(court.repository, check, court.performance.step.commit)
    const runs = runnableBy(check.related)
    const own = open.filter(({ path }) => runs(path) && folderFor(path, folders) !== null)
    open = open.filter((change) => !own.includes(change))
    if (own.length > 0) groups.push({ name: `-${groups.length}`, check, folders, parts: partsOf(own, folders) })
  }
  return groups
}

/** Those that no check can run alone. */
export function notInGroups(subject: Subject, groups: Group[]): Change[] {
  const run = new Set(groups.flatMap(({ parts }) => parts.flat()))
  return touchedTests(subject).filter((change) => !run.has(change))
}

/** A file in which only the looks have changed has nothing to tell; one that nobody can read may have. */
export const touchedTests = ({ tests, former }: Subject): Change[] =>
  tests.filter((change) => {
    const { added, changed, same } = changedTests(change, former)
    return added.length + changed.length > 0 || same.length === 0
  })

/** One file each, so that each has its own word; several where there are too many. */
function partsOf(changes: Change[], folders: string[]): Change[][] {
  const size = Math.ceil(changes.length / mostParts)
  const parts: Change[][] = []
  for (const folder of folders) {
    const inside = changes.filter(({ path }) => folderFor(path, folders) === folder)
    for (let at = 0; at < inside.length; at += size) parts.push(inside.slice(at, at + size))
  }
  return parts
}
