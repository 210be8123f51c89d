import { blocks, type Finding } from '../../delivery/judging/finding.ts'
import type { Policy } from '../../delivery/policy.ts'
import { hashOf } from '../../std/hash.ts'
import type { Damage } from '../breakage/damages.ts'
import { endsAtOnce, sideEnds } from '../breakage/edit.ts'
import type { Change } from '../files/change.ts'
import type { CheckResult } from '../results/check-result.ts'
import { finding } from './judge-witness.ts'
import { means } from './named-tests.ts'

/** What became of one damage of the change: who noticed it, if anybody did. */
export interface Try {
  damage: Pick<Damage, 'file' | 'line' | 'until' | 'what' | 'kind' | 'side'>
  word: 'noticed' | 'unnoticed' | 'unclear'
  /** No check looks at the file at all. */
  unread?: true
  /** Test files of the story whose own new or changed tests failed for it. */
  by: string[]
  /** The tests that failed, as far as their runner names them. */
  names: string[]
}

/** What only tests noticed that look at how the code is written was noticed by nobody. */
export const withoutReaders = (tries: readonly Try[], readers: ReadonlySet<string>): Try[] =>
  tries.map((one) =>
    one.word === 'noticed' && one.names.length > 0 && one.names.every((name) => readers.has(name))
      ? { ...one, word: 'unnoticed', by: [] }
      : one,
  )

export const readersFinding = (readers: ReadonlySet<string>, file: string): Finding =>
  finding({
    rule: 'tests-read-source',
    file,
    message: `${[...readers].slice(0, 3).join(', ')} fails when nothing but the space between words is changed, so it looks at how the code is written and not at what it does`,
    evidence: 'Call what the story makes, and compare what it gives.',
    severity: 'suggestion',
  })

/**
 * Nothing that was broken in the change was noticed: the tests that came with it are empty. `triedAll`: whatever could
 * be broken was, and some of these tests are new.
 */
export function unnoticedFindings(
  tries: readonly Try[],
  how: { mutation: Policy['mutation']; hasTests: boolean; triedAll: boolean },
): Finding[] {
  const silent = tries.filter(({ word, damage }) => word === 'unnoticed' && damage.kind === 'broken')
  // Where all was tried, what only old tests notice says nothing about those that came with the change.
  const isWhole = silent.length > 1 && how.triedAll && tries.every(({ word }) => word !== 'unclear')
  const isEmpty = how.hasTests && silent.length > 0 && !tries.some(isWhole ? isOwnWord : isAsserted)
  if (!isEmpty) return lonelyLines(tries)
  const places = silent.map(({ damage }) => placeOf(damage))
  const who = tries.some(isAsserted) ? 'no test that came with it' : 'no test'
  const message = `${who} notices the change: it was broken on purpose at ${places.slice(0, 3).join(', ')}, and everything passed`
  const evidence = `${places.join('\n')}\nAssert what the change does, so that a test fails when it does something else.`
  const severity = how.mutation === 'block' ? 'blocking' : 'suggestion'
  return [finding({ rule: 'change-unnoticed', file: silent[0]!.damage.file, message, evidence, severity })]
}

/** Files of the change at which no check looks: nobody can hear anything there, whoever is asked. */
export const unreadFindings = (tries: readonly Try[], severity: Finding['severity']): Finding[] =>
  [...new Map(tries.flatMap(({ unread, damage }) => (unread ? [[damage.file, damage] as const] : []))).values()].map(
    (damage) => ({
      ...finding({
        rule: 'file-unread',
        file: damage.file,
        message: `no check looks at ${damage.file}:${damage.line}: nothing fails when the file is no code any more`,
        evidence: 'If it is made by the check or not built here, that is so by nature. Else import it in a test.',
        severity,
      }),
      line: damage.line,
    }),
  )

/** A new function that tests of the story name, whatever is broken in it; what else they notice does not speak for it. */
export function calledInVain(name: string, tries: readonly Try[], mutation: Policy['mutation']): Finding {
  const places = tries.map(({ damage }) => placeOf(damage))
  const message = `no test notices what ${name} does: it was broken on purpose at ${places.slice(0, 3).join(', ')}, and everything passed, although tests that came with it name it`
  const evidence = `${places.join('\n')}\nCompare what ${name} gives with values that are written in the test.`
  const severity = mutation === 'block' ? 'blocking' : 'suggestion'
  return finding({ rule: 'called-in-vain', file: tries[0]!.damage.file, message, evidence, severity })
}

/** Lines that a test noticed before they were changed, and that none notices any more. */
export function lostFinding(
  { file, line }: Pick<Damage, 'file' | 'line'>,
  { test, mutation }: { test: string; mutation: Policy['mutation'] },
): Finding {
  const who = test === '*' ? 'the tests' : test
  const lost = finding({
    rule: 'hearing-lost',
    file,
    message: `${who} failed before the change when what is now ${file}:${line} was broken on purpose, and now nothing notices whatever is broken there`,
    evidence:
      'Either the tests are led past these lines (another file, another name, a setting), or something keeps them from failing. If the lines are not needed any more, take them out.',
    severity: mutation === 'block' ? 'blocking' : 'suggestion',
  })
  return { ...lost, line }
}

/** That the run ended at once says only that it was called. */
const isAsserted = ({ word, damage }: Try): boolean =>
  word === 'noticed' && damage.what !== endsAtOnce && damage.what !== sideEnds

/** A test of the story itself has noticed it. */
export const isOwnWord = (one: Try): boolean => isAsserted(one) && one.by.length > 0

/** Tests alone: none of them notices anything that is broken in what they import. */
export function emptyTestFindings(
  tries: readonly Try[],
  how: { mutation: Policy['mutation']; files: string[] },
): Finding[] {
  const silent = tries.filter(({ word }) => word === 'unnoticed')
  if (tries.some(isAsserted) || silent.length < 4) return []
  const places = silent.map(({ damage }) => placeOf(damage))
  const message = `the tests in ${how.files.join(', ')} notice nothing: what they import was broken on purpose at ${places.slice(0, 3).join(', ')}, and they passed`
  const severity = how.mutation === 'block' ? 'blocking' : 'suggestion'
  return [finding({ rule: 'tests-empty', file: how.files[0]!, message, evidence: places.join('\n'), severity })]
}

/** What there was no time for. Of a short check it is told where nothing was noticed: else it was only for telling. */
export function untriedFindings(untried: string[], how: { tries: readonly Try[]; isLong: boolean }): Finding[] {
  const heard = how.tries.some(isAsserted)
  if (untried.length === 0 || (heard && !how.isLong)) return []
  const more = untried.length > 3 ? ` and ${untried.length - 3} more` : ''
  const message = `not tried, for lack of time: ${untried.slice(0, 3).join('; ')}${more}`
  const severity = heard ? 'note' : 'suggestion'
  return [finding({ rule: 'not-tried', file: null, message, evidence: untried.join('\n'), severity })]
}

const mostTold = 5

/** Changed lines that nobody notices, one finding each. A part that can be taken back unnoticed is told where nothing in it is noticed. */
function lonelyLines(tries: readonly Try[]): Finding[] {
  const noticed = tries.filter(({ word }) => word === 'noticed').map(({ damage }) => damage)
  const lines = new Set<string>()
  return tries.flatMap(({ word, damage }): Finding[] => {
    const { file, line, until } = damage
    // That the whole part is missed says nothing about a single line in it, one side of a choice nothing about the other,
    // and that nothing is given is noticed by whoever does not care what.
    const covered = noticed.some(
      (one) =>
        damage.side === undefined &&
        one.file === file &&
        one.line <= until &&
        one.until >= line &&
        (damage.kind === 'taken-back' || (one.kind === 'broken' && (isHollow(damage) || !isHollow(one)))),
    )
    const place = `${file}:${line}`
    if (word !== 'unnoticed' || lines.has(place) || lines.size >= mostTold || covered) return []
    lines.add(place)
    const told = finding({
      rule: 'line-unnoticed',
      file,
      message: `nothing notices a change of ${placeOf(damage)}`,
      evidence: '',
      severity: 'suggestion',
    })
    return [{ ...told, line, fingerprint: hashOf(['witness', 'line-unnoticed', file, damage.what]) }]
  })
}

/** It gives nothing any more, instead of something else. */
const isHollow = ({ what }: Pick<Damage, 'what'>): boolean =>
  what === endsAtOnce || what === sideEnds || /^what is (?:returned|given)\b/.test(what)

/** One line for the report; null: there is nothing to tell. */
export function concernOf(story: string, findings: readonly Finding[]): string | null {
  const untested = findings.find(({ rule }) => rule === 'no-test-changed')
  if (untested !== undefined) return `${story}: ${untested.message}`
  const places = findings.filter(({ rule }) => rule === 'line-unnoticed').map(({ file, line }) => `${file}:${line}`)
  return places.length === 0 ? null : `${story}: no test notices a change of ${places.join(', ')}`
}

/** No test came with it, and none that was there has to do with it. */
export function untestedConcern(
  story: string,
  found: Finding[],
  { sources, tries }: { sources: readonly Change[]; tries: readonly Try[] },
): string | null {
  if (!found.some(({ rule }) => rule === 'no-test-changed') || tries.length > 0) return null
  const files = sources.map(({ path }) => path).slice(0, 3)
  return `${story}: no test notices what was done in ${files.join(', ')}`
}

const notShown = 'Not held back: by itself this does not show that the tests are empty.'

/** What cannot be shown from two sides is told: it holds nobody up. */
export const unsaid = (one: Finding): Finding =>
  blocks(one) ? { ...one, severity: 'suggestion', evidence: `${notShown}\n${one.evidence}` } : one

export const isOnlyTold = ({ evidence }: Finding): boolean => evidence.startsWith(notShown)

/**
 * New tests that hold on the base as well describe what is there, as with a refactoring: where most of what is broken in
 * the change is noticed, some of it by them. The rest is told line by line, as beside tests that fail without the change.
 * What there was no time for speaks for nobody.
 */
export function withoutSilence(findings: Finding[], tries: readonly Try[], untried: number): Finding[] {
  const broken = tries.filter(({ word, damage }) => damage.kind === 'broken' && word !== 'unclear')
  const heard = broken.filter(isAsserted)
  if (heard.length * 2 <= broken.length + untried) return findings
  return findings.map((one) =>
    one.rule === 'test-without-witness' && heard.some(({ by }) => by.includes(one.file ?? ''))
      ? { ...one, severity: 'suggestion' }
      : one,
  )
}

export const placeOf = ({ file, line, what }: Pick<Damage, 'file' | 'line' | 'what'>): string =>
  `${file}:${line} (${what})`

/** The tests that a story adds or changes. */
export interface OwnTests {
  files: string[]
  names: string[]
}

/**
 * Whether these tests hold on a product of which every function fails: beside others that fail, they are known by their
 * names. Where no runner names what passes, they are those that do not fail, as long as as many run as before.
 */
export function areIdle(result: CheckResult, { files, names }: OwnTests, total: number | null): boolean {
  const { status, runner, counts, failures, passed } = result
  if (status === 'pass') return counts !== null
  const isOwn = (test: string): boolean => names.some((name) => means(test, name))
  if (passed !== null) return names.every((name) => passed.some((test) => means(test, name)))
  // A panic of Go ends all tests that come after it.
  if (runner === 'go' || counts === null || counts.total !== total || counts.failed !== failures.length) return false
  return !failures.some(({ test, file }) => isOwn(test) || (file !== null && files.includes(file)))
}

export const idleFinding = ({ files }: OwnTests, mutation: Policy['mutation']): Finding =>
  finding({
    rule: 'tests-idle',
    file: files[0] ?? null,
    message: `the tests in ${files.slice(0, 3).join(', ')} pass although every function of the product was made to fail, so they tell nothing about it`,
    evidence: 'Call what the story makes from its tests, and compare what it gives.',
    severity: mutation === 'block' ? 'blocking' : 'suggestion',
  })
