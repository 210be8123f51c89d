import type { Finding } from '../../../delivery/judging/finding.ts'
import { breakagesIn } from '../../../proof/breakage/breakages.ts'
import { type Damage, silentParts } from '../../../proof/breakage/damages.ts'
import { testsOf } from '../../../proof/breakage/spots.ts'
import { type Users, usersOf } from '../../../proof/related/import-graph.ts'
import { lostFinding, type Try } from '../../../proof/witness/judge-tries.ts'
import type { Subject } from '../../../proof/witness/subject.ts'
import { readTree } from '../related.ts'
import { runFiles, wholeCheck } from '../single-files.ts'
import { type Hearing, isPassing, isSpent, mostTests, notices, type Trying, tryingOf } from './hearing.ts'

type Part = Damage & { was: number[] }

interface Sides {
  trying: Trying
  /** Who needs whom on the base. */
  onBase: Users
}

const [mostParts, perPart] = [3, 3]

/**
 * What tests noticed before the change and none notices now, in the very lines that were changed: something leads the
 * tests past them, or keeps them from failing there.
 */
export async function lostHearing(court: Hearing, subject: Subject, tries: readonly Try[]): Promise<Finding[]> {
  const parts = silentParts(subject.sources, tries)
  if (parts.length === 0) return []
  const trying = await tryingOf(court, subject)
  const tree = await readTree(court.repository, court.step.base)
  if (trying === null || tree === null) return []
  const sides = { trying, onBase: usersOf(tree) }
  const { mutation } = court.input.policy
  const findings: Finding[] = []
  for (const [index, part] of parts.slice(0, mostParts).entries()) {
    if (isSpent(trying, `whether what is now ${part.file}:${part.line} was noticed before`)) continue
    if (await isSilentNow(sides, part, index)) {
      const test = await noticedBefore(sides, part, index)
      if (test !== null) findings.push(lostFinding(part, { test, mutation }))
    }
  }
  return findings
}

/** Whatever is broken in these lines, every test passes that has to do with them now or had before. */
async function isSilentNow(sides: Sides, part: Part, index: number): Promise<boolean> {
  const { commit } = sides.trying.step
  const lines = new Set(Array.from({ length: part.until - part.line + 1 }, (_, by) => part.line + by))
  const broken = await brokenAt(sides, { commit, path: part.file, lines })
  for (const [turn, text] of broken.entries()) {
    const told = await runOn(sides, { commit, path: part.file, text, name: `-lost-${index}-${turn}` })
    if (told === null || !told.every(({ word }) => word === 'passes')) return false
  }
  return broken.length > 0
}

/** The test that failed on the base when these lines were broken there; null: none did. */
async function noticedBefore(sides: Sides, part: Part, index: number): Promise<string | null> {
  const { base } = sides.trying.step
  const path = sides.trying.subject.sources.find((one) => one.path === part.file)?.oldPath ?? part.file
  for (const [turn, text] of (await brokenAt(sides, { commit: base, path, lines: new Set(part.was) })).entries()) {
    const told = await runOn(sides, { commit: base, path, text, name: `-had-${index}-${turn}` })
    const failing = told?.find(({ word }) => word === 'notices')
    if (failing === undefined) continue
    const whole = await runOn(sides, { commit: base, path, text: null, name: `-whole-${index}` })
    if (whole?.find(({ test }) => test === failing.test)?.word === 'passes') return failing.test
  }
  return null
}

interface At {
  commit: Trying['step']['commit']
  path: string
}

async function brokenAt({ trying }: Sides, at: At & { lines: Set<number> }): Promise<string[]> {
  const text = await trying.repository.readFile(at.commit, at.path)
  if (text === null) return []
  const code = await trying.world.code()
  return breakagesIn(at.path, text, { lines: at.lines, code, most: perPart }).map((one) => one.text)
}

interface Told {
  test: string
  word: 'notices' | 'passes' | 'unclear'
}

async function runOn(sides: Sides, run: At & { text: string | null; name: string }): Promise<Told[] | null> {
  const { trying, onBase } = sides
  const { commit, path, text, name } = run
  for (const { asking, allowance } of trying.askings) {
    const all = asking.tests ?? []
    const related = [...new Set([...testsOf(onBase, all, [path]), ...testsOf(trying.users, all, [path])])]
    const tests = asking.tests === null ? [wholeCheck] : related.slice(0, mostTests)
    if (tests.length === 0) continue
    const made = await trying.repository.variant(commit, text === null ? [] : [{ path, text }])
    const results = await runFiles({ ...trying, asking, allowance }, { name, ...made, tests })
    if (results.size === 0) continue
    return [...results].map(([test, result]) => ({
      test,
      word: notices(result, asking) ? 'notices' : isPassing(result, asking) ? 'passes' : 'unclear',
    }))
  }
  return null
}
