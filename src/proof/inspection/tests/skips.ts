import { type Case, lineCounter, type TestFile } from './cases.ts'

/** Something that keeps a test from running, or from counting. */
export interface Skip {
  kind: string
  /** The test or suite it belongs to. */
  name: string
  line: number
  /** It depends on something, such as the platform. */
  conditional: boolean
}

const byLanguage: Record<TestFile['language'], RegExp[]> = {
  js: [
    /(?<![\w$.])(?:(?:Deno|QUnit|tap|t)\.)?(?:test|it|describe|context|suite|specify)(?:\s*\.\s*\w+)*?\s*\.\s*(skip|only|todo|fails|failing|fixme|ignore|skipIf|runIf)\b/g,
    /(?<![\w$.])(xit|xtest|xdescribe|xcontext|xspecify|fit|ftest|fdescribe|fcontext)\s*\(\s*["'`]/g,
    /(?<![\w$])(?:t|ctx|context|this|c)\.(skip|todo)\s*\(/g,
    /\brequire\s*\([^)]*\)\s*\.\s*(skip|todo|only)\b/g,
    /[{,]\s*(skip|todo)\s*(?::|\bas\b)\s*(?:test|it|describe)\b/g,
  ],
  python: [
    /@(?:pytest\.)?mark\.(skip|skipif|xfail)\b/g,
    /@(?:unittest\.)?(skip|skipIf|skipUnless|expectedFailure)\b/g,
    /\bpytest\.(skip|xfail)\s*\(/g,
    /\bself\.(skipTest)\s*\(/g,
    /\braise\s+(?:unittest\.)?(SkipTest)\b/g,
    /\b(pytestmark)\s*=\s*\[?\s*pytest\.mark\.(?:skip|xfail)/g,
    /\b(__test__)\s*=\s*False\b/g,
  ],
  ruby: [
    /(?<![\w.:@])(xit|xdescribe|xcontext|xspecify|fit|fdescribe|fcontext)\s*\(?["']/g,
    /^[ \t]*(skip|pending)\b/gm,
    /^[ \t]*(?:it|describe|context|specify|feature|scenario)\b[^\n]*\b(skip|pending|focus):\s*(?!false\b|nil\b)/gm,
    /@(?:module)?tag\s+:(skip)\b/g,
  ],
  braces: [
    /\b[tbf]\.(Skip|SkipNow|Skipf)\s*\(/g,
    /#\[(ignore)\b/g,
    /#\[(cfg)\(any\(\)\)\]/g,
    /@(Disabled\w*|Ignore)\b/g,
    /\[(Ignore|Explicit)\b/g,
    /\b(Skip)\s*=\s*"/g,
    /\b(markTestSkipped|markTestIncomplete|XCTSkip|GTEST_SKIP|assumeTrue|assumeFalse)\s*\(/g,
  ],
  other: [],
}

export function skipsIn(file: TestFile): Skip[] {
  const line = lineCounter(file.text)
  const found = byLanguage[file.language].flatMap((pattern) =>
    [...file.masked.matchAll(pattern)].map((match) => ({
      kind: match[1]!,
      name: ownerOf(file, match.index)?.name ?? '',
      line: line(match.index),
      conditional: isConditional(match[1]!, file.masked, match.index),
    })),
  )
  const tags = [...file.text.matchAll(/^\/\/(?:go:build|\s*\+build)\s+(?:ignore|never|disabled)\b/gm)]
  return [
    ...found,
    ...(file.language === 'js' ? file.cases.flatMap(optionSkips) : []),
    ...tags.map((tag) => ({ kind: 'build tag', name: '', line: line(tag.index), conditional: false })),
  ]
}

/** `test('name', { skip: true }, …)`: only options of the test itself count, `skip` is a common word elsewhere. */
function optionSkips(test: Case): Skip[] {
  const options = /^[\w.\s]+\(\s*(?:(["'`])[^"'`]*\1\s*,\s*)?\{([^{}]*)\}\s*,/.exec(test.masked)?.[2] ?? ''
  return [...options.matchAll(/(?:^|,)\s*(skip|todo|only|ignore)\b\s*(?::\s*([^,]*))?/g)]
    .filter((found) => !/^(?:false|undefined|null)\s*$/.test(found[2] ?? ''))
    .map((found) => ({
      kind: found[1]!,
      name: test.name,
      line: test.line,
      conditional: found[1] !== 'only' && !/^(?:true|1|["'`])/.test(found[2] ?? ''),
    }))
}

/** The innermost test around it, or the one that an annotation stands above. */
function ownerOf(file: TestFile, offset: number): Case | null {
  const around = file.cases.filter((one) => one.start <= offset && offset < one.end)
  if (around.length > 0) return around.reduce((inner, one) => (one.start >= inner.start ? one : inner))
  return file.cases.find((one) => one.start > offset && one.start - offset < 400) ?? null
}

function isConditional(kind: string, masked: string, offset: number): boolean {
  if (/^(?:skipIf|runIf|skipif|skipUnless|assume\w+|Disabled(?:On|If)\w+)$/.test(kind)) return true
  const lineStart = masked.lastIndexOf('\n', offset) + 1
  const above =
    masked
      .slice(Math.max(0, lineStart - 300), lineStart)
      .trimEnd()
      .split('\n')
      .at(-1) ?? ''
  return /\bif\b|&&|\?/.test(masked.slice(lineStart, offset)) || /\bif\b[^\n]*[{:]?$/.test(above)
}
