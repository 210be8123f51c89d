import type { Finding } from '../../../delivery/judging/finding.ts'
import { policyOf } from '../../../delivery/state.ts'
import { type Breakage, breakagesIn } from '../../../proof/breakage/breakages.ts'
import { endsAtOnce } from '../../../proof/breakage/edit.ts'
import { isProductCode } from '../../../proof/breakage/spots.ts'
import { addedLines } from '../../../proof/files/change.ts'
import { functionsIn, linesOf } from '../../../proof/witness/functions.ts'
import { calledInVain, type Try } from '../../../proof/witness/judge-tries.ts'
import type { Subject } from '../../../proof/witness/subject.ts'
import { touchedTests } from './groups.ts'
import { type Hearing, isSpent, triesOf, tryingOf } from './tries.ts'

const [mostFunctions, most] = [3, 8]

/**
 * New functions that the story's own tests name and that can be broken in every way without any test noticing: that
 * these tests notice something else does not speak for them.
 */
export async function inVainFindings(court: Hearing, subject: Subject, tries: readonly Try[]): Promise<Finding[]> {
  const trying = await tryingOf(court, subject)
  if (trying === null) return []
  const code = await court.world.code()
  const { mutation } = policyOf(court.performance.state)
  const findings: Finding[] = []
  for (const { name, file, text, lines } of unheardFunctions(subject, tries).slice(0, mostFunctions)) {
    if (isSpent(trying, `whether anybody notices what ${name} does`)) break
    const all = breakagesIn(file, text, { lines, code, most: most + 1 }).filter(changesWhatItDoes)
    const isTelling = all.length > 1 || all.some(isOfValue)
    if (!isTelling || all.length > most) continue
    const damages = all.map((one) => ({ ...one, kind: 'broken' as const, until: one.line }))
    const heard = await triesOf(trying, damages, { until: 'noticed', name: `-vain-${findings.length}` })
    if (heard.length === damages.length && heard.every(({ word }) => word === 'unnoticed'))
      findings.push(calledInVain(name, heard, mutation))
  }
  return findings
}

/** An operator became another; that a text is another one, many good tests do not look at. */
const isOfValue = ({ what }: Breakage): boolean => /^`/.test(what)

/** Of which something was broken already and nothing was noticed. */
function unheardFunctions(subject: Subject, tries: readonly Try[]) {
  const tests = touchedTests(subject)
    .map(({ after }) => after)
    .join('\n')
  return subject.sources.flatMap((change) => {
    const { path: file, after: text } = change
    if (text === null || !isProductCode(file, text)) return []
    const added = new Set(addedLines(change).map(({ line }) => line))
    const own = tries.filter(
      ({ damage }) => damage.file === file && damage.kind === 'broken' && changesWhatItDoes(damage),
    )
    return functionsIn(text).flatMap((one) => {
      const { name, line, until } = one
      const inside = own.filter(({ damage }) => damage.line >= line && damage.line <= until)
      const isUnheard = inside.length > 0 && inside.every(({ word }) => word === 'unnoticed')
      if (!isUnheard || !added.has(line) || !new RegExp(`\\b${name}\\b`).test(tests)) return []
      return [{ name, file, text, lines: linesOf(one) }]
    })
  })
}

/** Whoever calls it notices that it ends at once, and asserts nothing by that. */
const changesWhatItDoes = ({ what, side }: Pick<Breakage, 'what' | 'side'>): boolean =>
  what !== endsAtOnce && side === undefined
