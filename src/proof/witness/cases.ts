import { type Change, pathBefore } from '../inspection/change.ts'
import { namedTests } from './named-tests.ts'

/** The tests of a file that a change adds, changes in more than their looks, or leaves as they are. */
export interface ChangedTests {
  added: string[]
  changed: string[]
  same: string[]
}

export function changedTests(change: Change): ChangedTests {
  const before = change.before === null ? [] : namedTests(pathBefore(change), change.before)
  const after = change.after === null ? [] : namedTests(change.path, change.after)
  const former = new Map(before.map(({ name, text }) => [name, plain(text)]))
  const of = (kind: keyof ChangedTests): string[] =>
    after.filter(({ name, text }) => kindOf(former.get(name), plain(text)) === kind).map(({ name }) => name)
  return { added: of('added'), changed: of('changed'), same: of('same') }
}

const kindOf = (before: string | undefined, after: string): keyof ChangedTests =>
  before === undefined ? 'added' : before === after ? 'same' : 'changed'

/** Without what a formatter may change. */
const plain = (text: string): string => text.replace(/[\s;,]+/g, '').replace(/["`]/g, "'")

/** Whether a runner's name for a test means the test of this name: with its suites before it, its parameters after. */
export function means(reported: string, name: string): boolean {
  if (reported === name || separators.some((between) => reported.endsWith(`${between}${name}`))) return true
  const template = name
    .split(/%[sdifjoO#pc]|\$\{[^}]*\}|\$\w+/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*')
  return new RegExp(`(?:^|[\\s>›:/.])${template}(?:\\[.*|/.*)?$`, 's').test(reported)
}

const separators = [' ', '>', '›', ':', '/', '.']
