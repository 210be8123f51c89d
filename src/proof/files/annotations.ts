import type { Change } from './change.ts'
import { type CodeReader, grammarOf } from './code-reader.ts'
import { withoutForm } from './form.ts'
import { languageOf } from './test-file.ts'

/**
 * Only type annotations have changed, which nothing executes. In Python, what a class says of its fields may be
 * read by what it is built with, so only parameters and results count.
 */
export function onlyTypesChanged({ path, before, after, status }: Change, code: CodeReader): boolean {
  if (status !== 'modified' || before === null || after === null) return false
  const [then, now] = [withoutTypes(path, before, code), withoutTypes(path, after, code)]
  return then !== null && then === now
}

const kinds = {
  typescript: [
    'type_annotation',
    'type_arguments',
    'type_parameters',
    'type_alias_declaration',
    'interface_declaration',
  ],
  python: ['parameters', 'type', 'import_from_statement'],
}

function withoutTypes(path: string, text: string, code: CodeReader): string | null {
  const grammar = grammarOf(path)
  const isPython = grammar === 'python'
  if (!isPython && grammar !== 'typescript' && grammar !== 'tsx') return null
  const spans = code.nodes(grammar, text, kinds[isPython ? 'python' : 'typescript'])
  if (spans === null) return null
  const lists = spans.filter(({ kind }) => kind === 'parameters')
  const isPlain = ({ kind, start, end }: (typeof spans)[number]): boolean => {
    if (!isPython) return true
    if (kind === 'import_from_statement')
      return /^from\s+(?:typing|typing_extensions|collections\.abc)\s/.test(text.slice(start, end))
    const isResult = /->\s*$/.test(text.slice(Math.max(0, start - 40), start))
    return kind === 'type' && (isResult || lists.some((list) => list.start < start && end <= list.end))
  }
  let [left, at] = ['', 0]
  for (const span of spans.filter(isPlain)) {
    if (span.start < at) continue
    left += text.slice(at, span.start)
    if (isPython) left = left.replace(/(?:->|:)\s*$/, '')
    at = span.end
  }
  return withoutForm(left + text.slice(at), languageOf(path))
}
