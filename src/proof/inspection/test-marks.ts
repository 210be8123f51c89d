// What a diff says plainly about tests that are kept from running. Whether tests still test is seen by running them.
import type { Finding } from '../../delivery/judging/finding.ts'
import { addedLines, type Change, isFixture } from '../files/change.ts'
import { holdsNoTests, isData, isTestName, languageOf } from '../files/test-file.ts'
import { namedTests } from '../witness/named-tests.ts'
import { objection } from './objection.ts'

export const testMarkFindings = (changes: readonly Change[]): Finding[] => [
  ...deletedTests(changes),
  ...changes
    .filter(({ path, after }) => after !== null && isTestName(path))
    .flatMap((change) => [...focused(change), ...switchedOff(change)]),
]

/** A file of tests that went while nothing of the product did, and whose tests are in no other file of the change. */
function deletedTests(changes: readonly Change[]): Finding[] {
  if (changes.some((change) => isProduct(change) && losesLines(change))) return []
  const others = changes.flatMap(({ path, after }) => (isTestName(path) ? (after ?? []) : []))
  const isElsewhere = ({ path, before }: Change): boolean => {
    const names = namedTests(path, before ?? '').map(({ name }) => name)
    const there = names.filter((name) => others.some((text) => text.includes(name)))
    return others.length > 0 && there.length * 2 >= names.length
  }
  const heldTests = ({ path, before }: Change): boolean =>
    isTestName(path) && !path.endsWith('.snap') && !(before !== null && holdsNoTests(path, before))
  return changes
    .filter((change) => change.status === 'deleted' && heldTests(change) && !isElsewhere(change))
    .map(({ path, before }) =>
      objection({
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
function switchedOff(change: Change): Finding[] {
  const ran = new Set(marksIn(change.before ?? '').flatMap(({ name, isOff }) => (isOff ? [] : [name])))
  const marks = marksIn(change.after ?? '')
  const runs = new Set(marks.flatMap(({ name, isOff }) => (isOff ? [] : [name])))
  return marks
    .filter(({ name, isOff }) => isOff && ran.has(name) && !runs.has(name))
    .map(({ name, line, text }) => kept(change, { line, text, what: `"${name}" ran before, and is switched off` }))
}

const heads = [
  /^\s*x?(?:test|it|describe|context|suite|specify)(?:\.\w+)*\(\s*(["'`])(?<name>.+?)\1/,
  /^\s*(?:(?:async\s+)?def|class)\s+(?<name>[Tt]est\w*)/,
  /^\s*(?:pub\s+)?(?:async\s+)?fn\s+(?<name>\w+)/,
  /^func (?<name>Test\w*)\(/,
]
const off = /^\s*(?:x\w+\(|\w+(?:\.\w+)*\.(?:skip|todo)\b|@(?:pytest\.mark|unittest)\.skip\b|#\[ignore\b)/

/** Tests with the marks that stand at their heads, above them, or first in them; a mark with a condition is none. */
function marksIn(text: string) {
  const lines = text.split('\n')
  return lines.flatMap((head, at) => {
    const name = heads.flatMap((one) => one.exec(head)?.groups?.name ?? [])[0]
    if (name === undefined) return []
    let above = at
    while (/^\s*[@#]/.test(lines[above - 1] ?? '')) above -= 1
    const isOff =
      lines.slice(above, at + 1).some((line) => off.test(line)) || /^\s*t\.Skip(?:Now|f)?\(/.test(lines[at + 1] ?? '')
    return [{ name, isOff, line: at + 1, text: head }]
  })
}

const kept = ({ path }: Change, { line, text, what }: { line: number; text: string; what: string }): Finding =>
  objection({
    rule: 'test-skipped',
    file: path,
    line,
    what: text.trim(),
    message: `${what}; take the mark away and mend the code`,
    evidence: `+ ${text.trim().slice(0, 200)}`,
    fixTarget: 'tests',
  })
