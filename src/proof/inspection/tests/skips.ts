import { closing } from './brackets.ts'
import { type Case, lineCounter, type TestFile } from './test-case.ts'

/** Something that keeps a test from running, or from counting. */
export interface Skip {
  kind: string
  /** The test or suite it belongs to. */
  name: string
  line: number
  /** It depends on something, such as the platform. */
  conditional: boolean
  /** What it depends on, as far as it is written beside it. */
  guard: string
}

const byLanguage: Record<TestFile['language'], RegExp[]> = {
  js: [
    /(?<![\w$.])(?:(?:Deno|QUnit|tap|t)\.)?(?:test|it|describe|context|suite|specify)(?:\s*\.\s*\w+)*?\s*\.\s*(skip|only|todo|fails|failing|fixme|ignore|skipIf|runIf)\b/g,
    /(?<![\w$.])(xit|xtest|xdescribe|xcontext|xspecify|fit|ftest|fdescribe|fcontext)\s*\(\s*["'`]/g,
    /(?<![\w$])(?:t|ctx|context|this|c)\.(skip|todo)\s*\(/g,
    /\brequire\s*\([^)]{0,300}\)\s*\.\s*(skip|todo|only)\b/g,
    /\b(?:const|let|var)\s+(?:test|it|describe|suite)\s*=[^\n;]{0,300}\.(skip|todo|only|skipIf|runIf)\b/g,
    /\(\s*(?:describe|it|test|suite)\b[^()\n]{0,300}\)\s*\.\s*(skip|only|todo)\b/g,
    /(?<![\w$.])(?:describe|it|test|suite)\s*(\[)\s*["'`][^\]\n]{0,300}\]\s*\(/g,
    /\b(?:jest|this)\s*\.\s*(retryTimes|retries)\s*\(/g,
    /[{,]\s*(skip|todo)\s*(?::|\bas\b)\s*(?:test|it|describe)\b/g,
  ],
  python: [
    /@(?:pytest\.)?mark\.(skip|skipif|xfail)\b/g,
    /@(?:unittest\.)?(skip|skipIf|skipUnless|expectedFailure)\b/g,
    /\bpytest\.(skip|xfail|importorskip)\s*\(/g,
    /\bself\.(skipTest)\s*\(/g,
    /\braise\s+(?:unittest\.)?(SkipTest)\b/g,
    /\b(pytestmark)\s*=\s*\[?\s*pytest\.mark\.(?:skip|xfail)/g,
    /\b(__test__)\s*=\s*False\b/g,
    /@(?:pytest\.mark\.)?(flaky)\b/g,
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
    /#\[(cfg_attr)\([^\]]*\bignore\b/g,
    /@(Disabled\w*|Ignore)\b/g,
    /\[(Ignore|Explicit)\b/g,
    /\b(Skip)\s*=\s*"/g,
    /\b(markTestSkipped|markTestIncomplete|XCTSkip|GTEST_SKIP|assumeTrue|assumeFalse)\s*\(/g,
  ],
  other: [],
}

export function skipsIn(file: TestFile): Skip[] {
  const line = lineCounter(file.text)
  const ownerOf = ownersIn(file)
  const found = byLanguage[file.language].flatMap((pattern) =>
    [...file.masked.matchAll(pattern)].map((match) => {
      const end = match.index + match[0].length
      return {
        kind: match[1]!,
        name: ownerOf(match.index)?.name ?? '',
        line: line(match.index),
        guard: guardOf(file, end),
        conditional: isConditional(match[1]!, { file, start: match.index, end }),
      }
    }),
  )
  return [
    ...found,
    ...(file.language === 'js' ? file.cases.flatMap(optionSkips) : []),
    ...file.cases.flatMap(attributeSkips),
    ...sharedMarks(file, ownerOf),
    ...buildTags(file),
    ...hiddenModules(file),
    ...generators(file),
  ]
}

/** Without it a test always ran; with it, only in some builds. A fresh test may depend on a feature, or panic. */
function attributeSkips(test: Case): Skip[] {
  const attributes =
    test.language === 'braces' && test.text.startsWith('#[') ? test.masked.slice(0, test.masked.search(/\bfn\b/)) : ''
  return [...attributes.matchAll(/#\[(cfg|should_panic)\b(?!\(\s*test\s*\))([^\]]*)\]/g)].map((found) => ({
    kind: found[1]!,
    name: test.name,
    line: test.line,
    conditional: true,
    guard: found[2]!.replace(/^\(|\)$/g, ''),
  }))
}

/** A mark that has a name: `on_windows = pytest.mark.skipif(…)`, then `@on_windows`. */
function sharedMarks(file: TestFile, ownerOf: (offset: number) => Case | null): Skip[] {
  if (file.language !== 'python') return []
  const line = lineCounter(file.text)
  const named = [...file.masked.matchAll(/^(\w+)\s*=\s*(?:pytest\.)?mark\.(skip|skipif|xfail)\b/gm)]
  const marks = new Map(named.map(([, mark, kind]) => [mark!, kind!]))
  return [...file.masked.matchAll(/@(\w+)\b/g)]
    .filter((use) => marks.has(use[1]!))
    .map((use) => ({
      kind: use[1]!,
      name: ownerOf(use.index)?.name ?? '',
      line: line(use.index),
      conditional: marks.get(use[1]!) === 'skipif',
      guard: use[1]!,
    }))
}

/** A Go file with a constraint is compiled only where it holds. */
function buildTags(file: TestFile): Skip[] {
  if (file.language !== 'braces') return []
  const line = lineCounter(file.text)
  return [...file.text.matchAll(/^\/\/(?:go:build|\s*\+build)\s+(.+)$/gm)].map((tag) => ({
    kind: `build tag ${tag[1]!.trim()}`,
    name: '',
    line: line(tag.index),
    conditional: !/^(?:ignore|never|disabled)\b/.test(tag[1]!),
    guard: '',
  }))
}

/** In Rust a whole module of tests may be compiled on a condition only. */
function hiddenModules(file: TestFile): Skip[] {
  if (file.language !== 'braces') return []
  const line = lineCounter(file.text)
  const modules = /#\[cfg\(((?!test\s*\))[^\]]*)\)\]\s*(?:pub\s+)?mod\s+tests?\b/g
  return [...file.masked.matchAll(modules)].map((found) => ({
    kind: `cfg(${found[1]!.trim()})`,
    name: '',
    line: line(found.index),
    conditional: true,
    guard: '',
  }))
}

/** A test that yields is not run by pytest, only made. */
const generators = (file: TestFile): Skip[] =>
  file.language !== 'python'
    ? []
    : file.cases
        .filter((test) => /^[ \t]+(?:\w+\s*=\s*)?yield\b/m.test(test.masked))
        .map((test) => ({ kind: 'yield', name: test.name, line: test.line, conditional: false, guard: '' }))

/** `test('name', { skip: true }, …)`: only options of the test itself count, `skip` is a common word elsewhere. */
function optionSkips(test: Case): Skip[] {
  const options = /^[\w.\s]+\(\s*(?:(["'`])[^"'`]*\1\s*,\s*)?\{([^{}]*)\}\s*,/.exec(test.masked)?.[2] ?? ''
  return [...options.matchAll(/(?:^|,)\s*(skip|todo|only|ignore|retry|retries|repeats|fails)\b\s*(?::\s*([^,]*))?/g)]
    .filter((found) => !/^(?:false|undefined|null|0)\s*$/.test(found[2] ?? ''))
    .map((found) => ({
      kind: found[1]!,
      name: test.name,
      line: test.line,
      conditional: /^re/.test(found[1]!) || (found[1] !== 'only' && !/^(?:true|1|["'`])/.test(found[2] ?? '')),
      guard: (found[2] ?? '').trim(),
    }))
}

/** The innermost test around a place, or the one that an annotation stands above. Cases are in order of their start. */
function ownersIn({ cases }: TestFile): (offset: number) => Case | null {
  const outer: (Case | null)[] = []
  const open: Case[] = []
  for (const one of cases) {
    while (open.length > 0 && open.at(-1)!.end <= one.start) open.pop()
    outer.push(open.at(-1) ?? null)
    open.push(one)
  }
  const places = new Map(cases.map((one, at) => [one, at]))
  return (offset) => {
    let [low, high] = [0, cases.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (cases[middle]!.start <= offset) low = middle + 1
      else high = middle
    }
    let around: Case | null = cases[low - 1] ?? null
    while (around !== null && around.end <= offset) around = outer[places.get(around)!]!
    if (around !== null) return around
    const later = cases[low]
    return later !== undefined && later.start - offset < 400 ? later : null
  }
}

interface Place {
  file: TestFile
  start: number
  end: number
}

const guardOf = (file: TestFile, end: number): string =>
  file.masked[end] === '(' ? file.text.slice(end + 1, closing(file.masked, end) - 1).trim() : ''

function isConditional(kind: string, { file, start, end }: Place): boolean {
  if (/^(?:skipIf|runIf|skipif|skipUnless)$/.test(kind))
    return !/^(?:true|false|True|False|1|0|!0|!1)\b/.test(guardOf(file, end))
  if (/^(?:importorskip|cfg_attr|flaky|retryTimes|retries|assume\w+|Disabled(?:On|If)\w+)$/.test(kind)) return true
  const { masked } = file
  const lineStart = masked.lastIndexOf('\n', start) + 1
  const above =
    masked
      .slice(Math.max(0, lineStart - 300), lineStart)
      .trimEnd()
      .split('\n')
      .at(-1) ?? ''
  return /\bif\b|&&|\?/.test(masked.slice(lineStart, start)) || /\bif\b[^\n]*[{:]?$/.test(above)
}
