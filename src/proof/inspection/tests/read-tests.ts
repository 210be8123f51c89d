import { once } from '../../../std/once.ts'
import type { CodeReader } from '../syntax/code-reader.ts'
import { spansByLines } from './by-lines/cases.ts'
import { factsByLines } from './by-lines/line-facts.ts'
import { mask } from './by-lines/mask.ts'
import { type Code, readCode } from './by-structure/code.ts'
import { readStructure } from './by-structure/read-structure.ts'
import { type Case, lineCounter, type Passage, type TestFile } from './test-case.ts'
import { languageOf } from './test-file.ts'

/** A side of a change: where it is, and its text; null when there is none. */
interface Side {
  path: string
  text: string | null
}

/** Both sides in the same way: by structure where both can be read so, else by lines. */
export function readBoth(reader: CodeReader, before: Side, after: Side): [TestFile | null, TestFile | null] {
  const sides = [before, after]
  const read = sides.map(({ path, text }) => (text === null ? null : readCode(reader, path, text)))
  const structured = sides.every(({ text }, at) => text === null || read[at] !== null)
  return sides.map(({ path, text }, at) => {
    if (text === null) return null
    return structured ? structuredFile(path, read[at]!) : readByLines(path, text)
  }) as [TestFile | null, TestFile | null]
}

const structuredFile = (path: string, code: Code): TestFile => readStructure(code, languageOf(path))

function readByLines(path: string, text: string): TestFile {
  const language = languageOf(path)
  const masked = mask(text, language)
  const line = lineCounter(text)
  const cases = spansByLines(path, { text, masked, language }).map((span): Case => {
    const { start, end, name } = span
    const passage = { name, text: text.slice(start, end), masked: masked.slice(start, end), language }
    return withFacts({ ...span, ...passage, line: line(start) })
  })
  return { text, masked, language, cases, rest: restOf(cases, { name: '', text, masked, language }) }
}

/** Facts are asked for only of what differs. */
function withFacts(bare: Omit<Case, 'facts'>): Case {
  const facts = once(() => factsByLines(bare))
  return {
    ...bare,
    get facts() {
      return facts()
    },
  }
}

function restOf(cases: readonly Case[], { text, masked, language }: Passage): Case {
  let [restText, restMasked] = ['', '']
  let at = 0
  for (const one of cases.filter((each) => each.kind === 'test')) {
    if (one.start < at) continue
    const lines = one.text.replace(/[^\n]/g, '')
    restText += text.slice(at, one.start) + lines
    restMasked += masked.slice(at, one.start) + lines
    at = one.end
  }
  const passage = { name: '', text: restText + text.slice(at), masked: restMasked + masked.slice(at), language }
  return withFacts({ ...passage, kind: 'test', start: 0, end: 0, line: 1, buried: 0 })
}
