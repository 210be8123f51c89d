import { spansByLines } from '../inspection/tests/by-lines/cases.ts'
import { mask } from '../inspection/tests/by-lines/mask.ts'
import { languageOf } from '../inspection/tests/test-file.ts'

export interface NamedTest {
  name: string
  text: string
}

/** The tests in a file by their names, as far as words and brackets tell; suites are not tests. */
export function namedTests(path: string, text: string): NamedTest[] {
  const language = languageOf(path)
  const masked = mask(text, language)
  const spans = spansByLines(path, { text, masked, language }).filter(({ kind }) => kind === 'test')
  // Tests within tests within tests have the same text many times over.
  let room = 10 * text.length
  return spans.map(({ name, start, end }) => {
    const own = text.slice(start, Math.min(end, start + Math.max(room, shortest)))
    room -= own.length
    return { name, text: own }
  })
}

const shortest = 200
