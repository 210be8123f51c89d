import { bentClaims, isCutOff, tells, toldIn } from '../../../proof/breakage/claims.ts'
import { isProductCode, testsOf } from '../../../proof/breakage/spots.ts'
import { usersOf } from '../../../proof/related/import-graph.ts'
import { isTestFile } from '../../../proof/related/related-tests.ts'
import type { CheckResult, TestFailure } from '../../../proof/results/check-result.ts'
import { means, namedTests } from '../../../proof/witness/named-tests.ts'
import { type Allowance, allowanceFor, runFiles, wholeCheck } from '../single-files.ts'
import type { Probing } from './noticed.ts'

/** A test that failed on the base with the result that it claims, and on the commit does not tell of that result. */
export interface Forgiven {
  test: string
  said: string
  file: string
}

interface File {
  path: string
  /** Each result that a test claimed, with the names of the tests that have its line: what others tell is not about it. */
  said: { result: string; tests: string[] }[]
  /** Bent on the commit, and on the base. */
  after: string
  before: string
}

const [mostFiles, turns] = [3, 3]

/**
 * Old tests with another claim than theirs must fail, and tell of the result that they claimed before. A test that
 * passes as it is, and with another claim tells of another result, is forgiven what it says.
 */
export async function forgivenClaim(probing: Probing): Promise<Forgiven | null> {
  const files = oldTests(probing)
  if (files.length === 0) return null
  const { asking } = probing
  const isLong = probing.allowance.fileMs > 0
  const allowance = isLong ? probing.allowance : await allowanceFor(probing, asking, 'sensitivity')
  for (let turn = 0; turn < turns; turn++) {
    const bent = files.flatMap((path) => bentFile(probing, path, turn))
    if (bent.length === 0) break
    const found = await told(probing, bent, { turn, allowance, fresh: false })
    if (found === null) continue
    // Who is about to be charged has a claim on the time that it takes.
    const time = { leftMs: 4 * asking.check.timeoutMs, wholeMs: 0, fileMs: 0 }
    const again = await told(
      probing,
      bent.filter(({ path }) => path === found.file),
      { turn, allowance: time, fresh: true },
    )
    if (again !== null) return again
  }
  return null
}

/** Tests of the product that was there and is changed. */
function oldTests({ asking, then, now, changes }: Probing): string[] {
  const changed = changes.flatMap(({ path, before, after }) =>
    before !== null && after !== null && isProductCode(path, after) ? [path] : [],
  )
  const all = asking.tests ?? [...now.texts].flatMap(([path, text]) => (isTestFile(path, text) ? [path] : []))
  const old = all.filter((path) => then.texts.has(path) && now.texts.has(path))
  return changed.length === 0 ? [] : testsOf(usersOf(now), old, changed).slice(0, mostFiles)
}

function bentFile({ then, now }: Probing, path: string, turn: number): File[] {
  const [before, after] = [then.texts.get(path)!, now.texts.get(path)!]
  const bent = bentClaims(after, turn, new Set(before.split('\n')))
  if (bent === null) return []
  const text = before.split('\n').map((line) => bent.lines.get(line) ?? line)
  const tests = namedTests(path, after)
  const ownersOf = (line: string) => tests.filter((one) => one.text.includes(line)).map(({ name }) => name)
  const said = bent.said.map(({ result, line }) => ({ result, tests: ownersOf(line) }))
  return [{ path, said, after: bent.text, before: text.join('\n') }]
}

interface How {
  turn: number
  allowance: Allowance
  fresh: boolean
}

async function told(probing: Probing, bent: File[], { turn, allowance, fresh }: How): Promise<Forgiven | null> {
  const { repository, step, asking } = probing
  const run = async (side: 'before' | 'after', files: File[]): Promise<Map<string, CheckResult>> => {
    const commit = side === 'after' ? step.commit : step.base
    const made = await repository.variant(
      commit,
      files.map((one) => ({ path: one.path, text: one[side] })),
    )
    const tests = asking.tests === null ? [wholeCheck] : files.map(({ path }) => path)
    return await runFiles({ ...probing, allowance }, { name: `-claims-${side}-${turn}`, fresh, ...made, tests })
  }
  const at = (results: Map<string, CheckResult>, path: string) => results.get(asking.tests === null ? wholeCheck : path)
  const now = await run('after', bent)
  const open = bent.filter(({ path, said }) =>
    said.some(({ result }) => at(now, path)?.failures.some(({ error }) => tells(error, result)) === false),
  )
  const sure = open.filter(({ path }) => ['pass', 'test-failure'].includes(at(now, path)!.status))
  if (sure.length === 0) return null
  const then = await run('before', sure)
  for (const { path, said } of sure)
    for (const { result, tests } of said) {
      const own = at(then, path)?.failures.filter(({ test }) => tests.some((name) => means(test, name))) ?? []
      const test = own.find((before) => isForgiven(before, at(now, path)!.failures, result))?.test
      if (test !== undefined) return { test, said: result, file: path }
    }
  return null
}

function isForgiven(before: TestFailure, failures: TestFailure[], said: string): boolean {
  const part = toldIn(before, said)
  const own = failures.filter(({ test }) => test === before.test)
  // It may have another name now.
  const after = own.length > 0 ? own : failures
  return part !== null && ![before, ...after].some(isCutOff) && !after.some((one) => tells(one[part], said))
}
