// An item that only a test build has: what is marked as a test or for tests, up to the end of its line or of its block.
const attribute = '#\\[[^\\n]*\\]\\s*\\n'
const mark = '#\\[(?:cfg\\(test\\)|(?:\\w+::)*(?:test|rstest|test_case|bench)\\b)[^\\n]*\\]\\s*\\n'
const item = '(?:[^\\n]*[;}][ \\t]*(?:\\n|$)|[^\\n]*\\{[^\\n]*\\n(?:[\\s\\S]*?\\n)?\\}[^\\n]*(?:\\n|$))'
const tests = new RegExp(`^(?:${attribute})*?${mark}(?:${attribute})*${item}`, 'gm')

/** Rust keeps tests beside the code: the new code with the tests that were there before. */
export function withFormerTests(before: string, after: string): string {
  const [former, present] = [before, after].map((text) => text.match(tests) ?? [])
  if (former!.join('') === present!.join('')) return after
  const code = after.replace(tests, '').trimEnd()
  return `${code}\n\n${former!.map((one) => one.trimEnd()).join('\n\n')}\n`.trimStart()
}
