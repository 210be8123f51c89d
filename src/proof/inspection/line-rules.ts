// What a line says plainly about tests that are kept from running. Whether tests still test is seen by running them.
import type { Finding } from '../../delivery/judging/finding.ts'
import { type Change, isFixture, pathBefore } from '../files/change.ts'
import { holdsNoTests, isData, isTestName, languageOf } from '../files/test-file.ts'
import { addedLines } from '../scope/added-lines.ts'
import { namedTests } from '../witness/named-tests.ts'
import { report, type Told, tell } from './report.ts'

export const testRules = (changes: readonly Change[]): Finding[] => [
  ...deletedTests(changes),
  ...changes
    .filter(({ path, after }) => after !== null && isTestName(path))
    .flatMap((change) => [...focused(change), ...skipped(change)]),
]

/** A file of tests that went while nothing of the product did, and whose tests are in no other file of the change. */
function deletedTests(changes: readonly Change[]): Finding[] {
  const gone = changes.filter(({ status }) => status === 'deleted')
  const others = changes.flatMap(({ path, after }) => (isTestName(path) ? (after ?? []) : []))
  const isElsewhere = ({ path, before }: Change): boolean => {
    const names = namedTests(path, before ?? '').map(({ name }) => name)
    const there = names.filter((name) => others.some((text) => text.includes(name)))
    return others.length > 0 && there.length * 2 >= names.length
  }
  if (changes.some((change) => isProduct(change) && losesLines(change))) return []
  return gone
    .filter(
      ({ path, before }) =>
        isTestName(path) && !path.endsWith('.snap') && !(before !== null && holdsNoTests(path, before)),
    )
    .filter((change) => !isElsewhere(change))
    .map(({ path, before }) =>
      report({
        rule: 'test-deleted',
        file: path,
        line: 1,
        message:
          'this test file was deleted, and what it tests is still there; put it back, or have the story declare it under mayChange',
        evidence: (before ?? '').replace(/^/gm, '- '),
        fixTarget: 'tests',
      }),
    )
}

const isProduct = ({ path }: Change): boolean => !isTestName(path) && !isData(path) && !isFixture(path)

const losesLines = ({ before, after }: Change): boolean => {
  const left = new Set(after?.split('\n'))
  return before?.split('\n').some((line) => !left.has(line)) === true
}

const focus =
  /^\s*(?:f(?:it|describe|context)|(?:test|it|describe|context|suite)(?:\.\w+)*\.only(?:\.\w+)*)\s*[(<`]\s*(?:["'`[]|$)/

const focused = (change: Change): Finding[] =>
  languageOf(change.path) === 'js'
    ? addedLines(change)
        .filter(({ text }) => focus.test(text))
        .map(({ line, text }) => kept(change, { line, text, what: 'only this runs, and no other test beside it' }))
    : []

/** A test that is there already and ran, and is now marked so that it does not. */
function skipped(change: Change): Finding[] {
  const ran = new Set(marksIn(pathBefore(change), change.before ?? '').flatMap((one) => (one.off ? [] : [one.name])))
  const marks = marksIn(change.path, change.after ?? '')
  const runs = new Set(marks.flatMap((one) => (one.off ? [] : [one.name])))
  return marks
    .filter(({ name, off }) => off && ran.has(name) && !runs.has(name))
    .map(({ name, at }) => {
      const line = change.after!.slice(0, at).split('\n').length
      const text = change.after!.split('\n')[line - 1]!
      return kept(change, { line, text, what: `"${name}" ran before, and is switched off` })
    })
}

const kept = ({ path }: Change, { line, text, what }: Told): Finding => ({
  ...tell('test-skipped', path, { line, text, what }),
  message: `${what}; take the mark away and mend the code`,
  severity: 'blocking',
  fixTarget: 'tests',
})

interface Mark {
  name: string
  off: boolean
  at: number
}

/** Tests with the marks that stand directly at them; a mark with a condition is none. */
function marksIn(path: string, text: string): Mark[] {
  const form = forms.find(([names]) => names.test(path))?.[1]
  if (form === undefined) return []
  return [...text.matchAll(form)].map(({ index, groups }) => ({
    name: groups!.name!,
    off: offWords.test(groups!.mark ?? ''),
    at: index,
  }))
}

const offWords =
  /^(?:x\w|\w+(?:\.\w+)*\.(?:skip|todo)\b)|@(?:pytest\.mark|unittest)\.skip\b|#\[ignore\b|^\s*t\.Skip(?:Now|f)?\(|^@(?:Disabled|Ignore)\b/m

const forms: [RegExp, RegExp][] = [
  [
    /\.[cm]?[jt]sx?$/,
    /^[ \t]*(?<mark>x?(?:test|it|describe|context|suite|specify)(?:\.\w+)*)\(\s*(?<quote>["'`])(?<name>.+?)\k<quote>/gm,
  ],
  [/\.py$/, /(?<mark>(?:^[ \t]*@[^\n]*\n)*)^[ \t]*(?:(?:async[ \t]+)?def[ \t]+|class[ \t]+)(?<name>[Tt]est\w*)/gm],
  [/\.rs$/, /#\[(?:\w+::)?test\b[^\]\n]*\](?<mark>(?:\s*#\[[^\]\n]*\])*)\s*(?:pub\s+)?(?:async\s+)?fn\s+(?<name>\w+)/g],
  [/\.go$/, /^func (?<name>Test\w*)\([^\n]*\{\n(?<mark>[^\n]*)/gm],
]
