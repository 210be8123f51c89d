import { describe, expect, it } from 'vitest'
import { loadCodeReader } from '../../../src/adapters/code-ast-grep/code-reader.ts'

const gone = async (): Promise<never> => {
  throw new Error('Cannot find native binding\nand more')
}
const installed = {
  astGrep: () => import('@ast-grep/napi'),
  grammars: { python: gone, go: gone, rust: gone },
}
describe('the reader of code', () => {
  it('gives nodes with their places in the text, whatever letters it has', async () => {
    const { nodes, concerns } = await loadCodeReader()
    const text = 'def test_ä():\n    """ü 😀"""\n    assert f("é😀x") == 1\n'
    const [found] = nodes('python', text, ['call'])!
    expect(text.slice(found!.start, found!.end)).toBe('f("é😀x")')
    expect(concerns).toEqual([])
  })

  it('reads every language it knows, outer before inner', async () => {
    const { nodes } = await loadCodeReader()
    expect(nodes('tsx', 'f(<a>{g(1)}</a>)', ['call_expression'])!.map(({ start }) => start)).toEqual([0, 6])
    expect(nodes('typescript', 'const a = <T>f(1)', ['call_expression'])).toHaveLength(1)
    expect(nodes('go', 'package a\nfunc A() { f() }', ['call_expression'])).toHaveLength(1)
    expect(nodes('rust', 'fn a() { f() }', ['call_expression'])).toHaveLength(1)
    expect(nodes('javascript', 'f(', ['ERROR', 'call_expression'])).not.toEqual([])
  })

  it.each([
    ['no native part at all', { ...installed, astGrep: gone }, '@ast-grep/napi'],
    ['no grammar of the language', installed, '@ast-grep/lang-python'],
  ])('%s: says so', async (_, sources, name) => {
    const code = await loadCodeReader(sources)
    expect(code.nodes('python', 'f()', ['call'])).toBeNull()
    expect(code.concerns.join()).toContain(`${name} could not be loaded`)
    expect(code.concerns.join()).not.toContain('and more')
  })
})
