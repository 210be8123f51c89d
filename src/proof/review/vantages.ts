import type { Vantage } from '../../delivery/review/review.ts'
import type { Change } from '../files/change.ts'
import { isTest } from '../files/test-file.ts'
import { byItselfLines } from '../inspection/by-itself.ts'
import { sensingLines } from '../inspection/sensing.ts'
import { addedLines } from '../scope/added-lines.ts'
import { touchesPublic } from '../scope/public-symbols.ts'
import { riskOf } from '../scope/risk.ts'

/** A vantage point that a diff calls for, and the files that do. */
export interface Called {
  vantage: Vantage
  files: string[]
}

/** From where this diff must be looked at, whatever the settings say. */
export function vantagesFor(changes: readonly Change[]): Called[] {
  const reasons = new Map(riskOf(changes).files.map(({ path, reasons: all }) => [path, all]))
  const because = (reason: string) => (change: Change) => reasons.get(change.path)!.includes(reason)
  const calls: [Vantage, (change: Change) => boolean][] = [
    [
      'security',
      (change) => because('security')(change) || touchesSecurity(change) || byItselfLines(change).length > 0,
    ],
    ['integrity', (change) => sensingLines(change).length > 0],
    ['migration', because('a migration')],
    ['api', (change) => because('what others use was changed')(change) || isContract(change)],
    ['ui', because('what people see')],
  ]
  const called = calls.map(([vantage, calling]) => ({ vantage, files: pathsOf(changes.filter(calling)) }))
  const tests = pathsOf(changes.filter(({ path }) => isTest(path)))
  // Where nothing but tests has changed, whether they would notice anything is the only question.
  const onlyTests = tests.length > 0 && tests.length === changes.length
  return [...called, { vantage: 'tests' as const, files: onlyTests ? tests : [] }].filter(
    ({ files }) => files.length > 0,
  )
}

const pathsOf = (changes: readonly Change[]): string[] => changes.map(({ path }) => path)

/** What untrusted text must not reach unseen. */
const dangerous =
  /\b(?:exec|execSync|spawn|spawnSync|eval|child_process|subprocess|os\.system|pickle\.loads|yaml\.load|innerHTML|dangerouslySetInnerHTML|createHash|createCipher\w*|bcrypt|jwt|verifyToken|setCookie|Access-Control-Allow-Origin)\b|\b(?:SELECT|INSERT|UPDATE|DELETE)\b[^\n]*(?:\$\{|["'`]\s*\+|%s)/

const touchesSecurity = (change: Change): boolean =>
  !isTest(change.path) && addedLines(change).some(({ text }) => dangerous.test(text))

/** Descriptions of what others call. */
const isContract = (change: Change): boolean =>
  /(?:^|\/)(?:openapi|swagger)[\w.-]*\.(?:ya?ml|json)$|\.(?:proto|graphql|gql|thrift|avsc)$/.test(change.path) ||
  (/(?:^|\/)(?:routes?|controllers?|handlers|api|endpoints?)(?:\/|\.)/.test(change.path) &&
    !isTest(change.path) &&
    touchesPublic(change))
