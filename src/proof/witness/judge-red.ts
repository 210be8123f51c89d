import type { Finding } from '../../delivery/judging/finding.ts'
import type { TestFailure } from '../results/check-result.ts'
import { isSourceFile } from '../results/report.ts'
import { finding, hear, type Witness, type Word } from './judge-witness.ts'
import { missesItsOwn, missesWhatIsToCome } from './missing.ts'
import { means } from './named-tests.ts'

/**
 * Tests that are written before the code have to fail without it. `declared`: packages that the repository says it
 * has. What failed is told as a note, so that people can see it.
 */
export function redFindings(witnesses: readonly Witness[], declared: readonly string[]): Finding[] {
  const heard = witnesses.map((witness) => ({ witness, word: wordOf(witness, declared) }))
  const any = heard.some(({ word }) => word.status === 'fails')
  return heard.flatMap(({ witness, word }) => {
    if (word.status === 'unloadable') return [unloadable(witness, word.error)]
    if (word.status === 'passes') return passing(witness, namesIn(witness), any ? 'suggestion' : 'blocking')
    const already = word.passing.length === 0 ? [] : passing(witness, word.passing, 'suggestion')
    return [red(witness), ...already]
  })
}

/** A failure that is the fault of every failing test itself is none that code could mend. */
function wordOf(witness: Witness, declared: readonly string[]): Word {
  const word = hear(witness, (text) => missesWhatIsToCome(text, declared))
  const own = failuresOf(witness)
  if (word.status !== 'fails' || own.length === 0) return word
  return own.every(({ error }) => missesItsOwn(error)) ? { status: 'unloadable', error: own[0]!.error } : word
}

const failuresOf = ({ tests, onBase }: Witness): TestFailure[] =>
  onBase.failures.filter(({ test }) => !tests.same.some((name) => means(test, name)))

const namesIn = ({ tests, onBase }: Witness): string[] =>
  onBase.counts === null ? [] : [...tests.added, ...tests.changed]

/** The failing tests, and how they fail. */
function red(witness: Witness): Finding {
  const { files, onBase } = witness
  const own = failuresOf(witness)
  const written = [...witness.tests.added, ...witness.tests.changed]
  const unread = own.every(({ test }) => isSourceFile(test)) && onBase.status !== 'timeout'
  const names = (unread ? written : own.map(({ test }) => test)).map((test) => `"${test}"`)
  const what = names.length === 0 ? `the tests in ${files.join(', ')}` : listOf(names)
  const how = own.map(({ test, error }) => `${test}: ${error}`.trim()).join('\n\n')
  const message = `red, as it should be, without the code: ${what}`
  const evidence = (how === '' ? onBase.tail : how).slice(0, 4_000)
  return finding({ source: 'red', rule: 'red', file: files[0]!, message, evidence, severity: 'note' })
}

const shown = 10
const listOf = (names: string[]): string =>
  names.length <= shown ? names.join(', ') : `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`

function passing({ files, onBase }: Witness, names: string[], severity: Finding['severity']): Finding[] {
  const about = { source: 'red', rule: 'already-passes', file: files[0]!, severity }
  const evidence = 'The code of the story is not there yet. Test what the story is to make different.'
  if (names.length > 0)
    return names
      .slice(0, shown)
      .map((test) =>
        finding({ ...about, test, evidence, message: `the test "${test}" already passes, before any code is written` }),
      )
  const message = `the tests in ${files.join(', ')} already pass, before any code is written`
  return [finding({ ...about, message, evidence: `${evidence}\n${onBase.tail}` })]
}

const unloadable = ({ files, onBase }: Witness, error: string): Finding =>
  finding({
    source: 'red',
    rule: 'red-unloadable',
    file: files[0]!,
    message: `no test in ${files.join(', ')} could be executed, and not because something is missing that is still to be written: ${error.split('\n', 1)[0]!.slice(0, 300)}`,
    evidence: onBase.tail,
  })
