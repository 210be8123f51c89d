import type { Finding } from '../../../delivery/judging/finding.ts'
import type { FileChange } from '../../../ports/repository/commits.ts'
import { pathBefore } from '../../../proof/files/change.ts'
import { isAmong } from '../../../proof/results/baseline.ts'
import type { CheckResult } from '../../../proof/results/check-result.ts'
import { hashOf } from '../../../std/hash.ts'
import { asFinding } from '../../as-finding.ts'
import type { Bench } from '../run-check.ts'
import type { TakenFile } from './former-tree.ts'

/** The rule of a test that held before and does not hold for the change. */
const oldTestsFail = 'old-tests-fail'

const mostFindings = 40
const longest = 1_500

/** The old tests that fail, each with what it expected and what it expects now; not those that a human let pass. */
export function oldTestsFindings(bench: Bench, result: CheckResult, changes: FileChange[]): Finding[] {
  const source = `guard:${bench.check.name}`
  const known = new Set<string>()
  const failures = result.failures.flatMap((failure) => {
    const fingerprint = hashOf([source, oldTestsFail, failure.file, failure.test])
    if (known.has(fingerprint)) return []
    known.add(fingerprint)
    return [{ ...failure, fingerprint }]
  })
  const waived = new Set(bench.input.waived)
  const open = failures.filter(({ fingerprint }) => !waived.has(fingerprint))
  if (failures.length > 0 && open.length === 0) return []
  if (open.length === 0) return wholeFinding(source, result).filter(({ fingerprint }) => !waived.has(fingerprint))
  const shown = open.slice(0, mostFindings)
  return shown.map(({ file, line, test, error, stack, fingerprint }, index) => {
    const place = shown.length < 2 ? '' : ` (${index + 1} of ${open.length})`
    const finding = asFinding({
      ...{ source, rule: oldTestsFail, file, line, key: [] },
      message: `the test "${test}", as it was before, fails on this change${place}: ${error.split('\n', 1)[0]!.slice(0, 300)}`,
      evidence: [error.slice(0, longest), stack.slice(0, 500), expectations(file, changes), whatToDo]
        .filter((part) => part !== '')
        .join('\n\n'),
    })
    return { ...finding, fingerprint }
  })
}

const whatToDo =
  'Mend the code so that the test passes as it was. If the requirement demands that it changes, say so in your answer under changedTests: the test, why, and which criterion demands it.'

function wholeFinding(source: string, { message, tail, status }: CheckResult): Finding[] {
  const what = `with the tests and settings as they were before, the check fails on this change: ${message}`
  const evidence = `${tail.slice(-longest * 2)}\n\n${whatToDo}`
  return [asFinding({ source, rule: oldTestsFail, message: what, evidence, key: [source, oldTestsFail, status] })]
}

/** The lines of the test's file that only one side has. */
function expectations(file: string | null, changes: FileChange[]): string {
  const change = file === null ? undefined : changes.find((one) => isAmong(file, [pathBefore(one)]))
  if (change === undefined || change.before === null) return ''
  const [before, after] = [change.before.split('\n'), (change.after ?? '').split('\n')]
  const [had, has] = [new Set(before), new Set(after)]
  const gone = before.filter((line) => !has.has(line)).join('\n')
  const fresh = after.filter((line) => !had.has(line)).join('\n')
  return `before, in ${pathBefore(change)}:\n${gone.slice(0, longest)}\nnow:\n${fresh.slice(0, longest)}`
}

/** What was taken from the base and why, on record and in nobody's way. */
export function noted({ check }: Bench, what: string, taken: readonly TakenFile[]): Finding {
  const source = `guard:${check.name}`
  const files = taken.map(({ path, kind, because }) => `${path} (${kind}) ${because}`)
  const some = files.slice(0, 3).join('; ')
  return asFinding({
    ...{ source, rule: 'test-material', severity: 'note', fixTarget: 'story', key: [source, 'test-material'] },
    message: some === '' ? what : `${what}: ${some}${files.length > 3 ? '; …' : ''}`,
    evidence: files.join('\n').slice(0, 4_000),
  })
}
