import type { Finding } from '../../delivery/judging/finding.ts'
import type { Policy } from '../../delivery/policy.ts'
import { hashOf } from '../../std/hash.ts'
import type { Damage } from '../breakage/damages.ts'
import { endsAtOnce } from '../breakage/edit.ts'
import { finding } from './judge-witness.ts'

/** What became of one damage of the change: who noticed it, if anybody did. */
export interface Try {
  damage: Pick<Damage, 'file' | 'line' | 'until' | 'what' | 'kind'>
  word: 'noticed' | 'unnoticed' | 'unclear'
  /** Test files of the story whose own new or changed tests failed for it. */
  by: string[]
}

/** Nothing that was broken in the change was noticed: the tests that came with it are empty. */
export function unnoticedFindings(
  tries: readonly Try[],
  how: { mutation: Policy['mutation']; hasTests: boolean },
): Finding[] {
  const silent = tries.filter(({ word, damage }) => word === 'unnoticed' && damage.kind === 'broken')
  const isEmpty = how.hasTests && silent.length > 0 && !tries.some(isAsserted)
  if (!isEmpty) return lonelyLines(tries)
  const places = silent.map(({ damage }) => placeOf(damage))
  const message = `no test notices the change: it was broken on purpose at ${places.slice(0, 3).join(', ')}, and everything passed`
  const evidence = `${places.join('\n')}\nAssert what the change does, so that a test fails when it does something else.`
  const severity = how.mutation === 'block' ? 'blocking' : 'suggestion'
  return [finding({ rule: 'change-unnoticed', file: silent[0]!.damage.file, message, evidence, severity })]
}

/** That the run ended at once says only that it was called. */
const isAsserted = ({ word, damage }: Try): boolean => word === 'noticed' && damage.what !== endsAtOnce

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

const mostTold = 5

/** Changed lines that nobody notices, one finding each. A part that can be taken back unnoticed is told where nothing in it is noticed. */
function lonelyLines(tries: readonly Try[]): Finding[] {
  const noticed = tries.filter(({ word }) => word === 'noticed').map(({ damage }) => damage)
  const lines = new Set<string>()
  return tries.flatMap(({ word, damage }): Finding[] => {
    const { file, line, until } = damage
    const covered = noticed.some((one) => one.file === file && one.line <= until && one.until >= line)
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

/** One line for the report; null: there is nothing to tell. */
export function concernOf(story: string, findings: readonly Finding[]): string | null {
  const places = findings.filter(({ rule }) => rule === 'line-unnoticed').map(({ file, line }) => `${file}:${line}`)
  return places.length === 0 ? null : `${story}: no test notices a change of ${places.join(', ')}`
}

/**
 * New tests that hold on the base as well describe what is there, as with a refactoring: where they notice whatever is
 * broken in the change. What they do not notice may be what the change is for.
 */
export function withoutSilence(findings: Finding[], tries: readonly Try[]): Finding[] {
  const broken = tries.filter(({ word, damage }) => damage.kind === 'broken' && word !== 'unclear')
  if (broken.length === 0 || broken.some(({ word }) => word === 'unnoticed')) return findings
  return findings.map((one) =>
    one.rule === 'test-without-witness' && broken.some(({ by }) => by.includes(one.file ?? ''))
      ? { ...one, severity: 'suggestion' }
      : one,
  )
}

const placeOf = ({ file, line, what }: Try['damage']): string => `${file}:${line} (${what})`
