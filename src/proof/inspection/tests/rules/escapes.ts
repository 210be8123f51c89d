import type { Finding } from '../../../../delivery/judging/finding.ts'
import { type Change, folderOf, isFixture, join, pathBefore } from '../../change.ts'
import { report } from '../../report.ts'
import type { TestChange, TestFile } from '../test-case.ts'
import { holdsTests, isInTestFolder } from '../test-file.ts'
import { lostLines } from './lost-lines.ts'

interface Way {
  rule: string
  message: string
  mend: string
  sign: RegExp
  /** In a file that was not there before it does no harm to other tests. */
  harmlessInFresh: boolean
}

const ways: Way[] = [
  {
    rule: 'test-exits',
    message: 'a test ends the whole run as if it had passed',
    mend: 'let the runner decide how the run ends',
    sign: /\bprocess\.(?:exit|reallyExit)\s*\(\s*0?\s*\)|\bprocess\.exitCode\s*=\s*0|\bDeno\.exit\s*\(\s*0?\s*\)|\b(?:sys\.exit|os\._exit)\s*\(\s*0?\s*\)|\bpytest\.exit\s*\(|\bos\.Exit\s*\(\s*0\s*\)|\bprocess::exit\s*\(\s*0\s*\)|\bSystem\.exit\s*\(\s*0\s*\)|^[ \t]*exit!?[ \t]*\(?0?\)?[ \t]*$/gm,
    harmlessInFresh: false,
  },
  {
    rule: 'test-exits',
    message: 'a test kills the run that it is part of',
    mend: 'let an assertion fail instead',
    sign: /\bprocess\.(?:abort\s*\(|kill\s*\(\s*process\.pid\b)|\bos\.(?:abort\s*\(|kill\s*\(\s*os\.getpid\b)|\bprocess::abort\s*\(|\bsyscall\.Kill\s*\(\s*(?:os|syscall)\.Getpid\b/g,
    harmlessInFresh: false,
  },
  {
    rule: 'test-disabled',
    message: 'tests were put where they are never reached',
    mend: 'put them back where they run',
    sign: /\bif\s*\(\s*(?:false|0|!1|!true)\s*\)|\bif\s+(?:False|0)\s*:|\bif\s+false\b|\bfalse\s*&&\s*(?:test|it|describe)\b|#if\s+(?:0|false)\b|^return\s*;?$|\bof\s+\[\s*\]\s*\)|\[\s*\]\s*\.\s*(?:forEach|map)\s*\(|\.\s*each\s*\(\s*\[\s*\]\s*\)|\bparametrize\s*\(\s*(?:["'][^"'\n]*["']|[([][^()[\]\n]*[)\]])\s*,\s*[[(]\s*[\])]/gm,
    harmlessInFresh: false,
  },
  {
    rule: 'test-disabled',
    message: 'the functions that tests are made of were replaced',
    mend: "use the library's own",
    sign: /\b(?:mock\.method|spyOn|stub|Object\.(?:assign|define\w+))\s*\(\s*(?:assert|expect|test|it|describe)\b|\b(?:assert|expect)\.\w+\s*=[^=>]|\bglobal(?:This)?\.(?:assert|expect|test|it|describe)\s*=[^=]|\bfunction\s+(?:test|it|describe|assert|expect)\s*\(|\b(?:const|let|var)\s+(?:test|it|describe|assert|expect)\s*=\s*(?:async\s*)?(?:\(|function\b)|\bpass\s*:\s*true\b|\bprocess\.on\s*\(\s*["']\s*["']\s*,\s*\(?\w*\)?\s*=>\s*\{\s*\}/g,
    harmlessInFresh: true,
  },
]

/** Ways to make a run end well without the tests having run, or without the product in them. */
export function escapeFindings({ change, before, after }: TestChange): Finding[] {
  if (after === null) return []
  const found = ways
    .filter((way) => !(way.harmlessInFresh && before === null))
    .filter((way) => way.rule !== 'test-exits' || isInTheRun(change.path, after))
    .filter((way) => places(after, way.sign).length > (before === null ? 0 : places(before, way.sign).length))
    .map(({ rule, message, mend, sign }) => ({ rule, message, mend, at: freshPlace(before, after, sign) }))
  const exchanged = before === null ? [] : replacements(change, before, after)
  return [...found, ...exchanged.map((one) => ({ ...one, mend: 'test what the product has', at: null }))].map(
    ({ rule, message, mend, at }) => {
      const lines = lostLines(before?.text ?? '', after.text)
      const line = at === null ? lines.offset + 1 : after.text.slice(0, at).split('\n').length
      const evidence = at === null ? lines.text : `+ ${after.text.split('\n')[line - 1]!.trim().slice(0, 200)}`
      return report({
        rule,
        file: change.path,
        line,
        what: message,
        message: `${message}; ${mend}`,
        evidence,
        fixTarget: 'tests',
      })
    },
  )
}

/** Programs that tests start may end themselves. */
const isInTheRun = (path: string, file: TestFile): boolean =>
  holdsTests(path, file.text) ||
  /\bnode:test\b|\bvitest\b|\bjest\b|\bmocha\b|\bpytest\b|\b(?:before|after)(?:Each|All)?\s*\(/.test(file.text)

const places = (file: TestFile, sign: RegExp): RegExpMatchArray[] => [...file.masked.matchAll(sign)]

/** The first that is on a line which was not there. */
function freshPlace(before: TestFile | null, after: TestFile, sign: RegExp): number {
  const known = new Set(before?.text.split('\n').map((line) => line.trim()) ?? [])
  const all = places(after, sign).map((found) => found.index! + (/^\s*/.exec(found[0])?.[0].length ?? 0))
  const lineOf = (at: number): string =>
    after.text.slice(
      after.text.lastIndexOf('\n', at) + 1,
      (after.text.indexOf('\n', at) + 1 || after.text.length + 1) - 1,
    )
  return all.find((at) => !known.has(lineOf(at).trim())) ?? all[0]!
}

/** What tests stand on was exchanged under them. */
function replacements(change: Change, was: TestFile, is: TestFile): { rule: string; message: string }[] {
  const [before, after] = [was.text, is.text]
  const [had, has] = [importedNames(pathBefore(change), was), importedNames(change.path, is)]
  const own = [...had.keys()].filter((name) => definitionsOf(name, after) > definitionsOf(name, before))
  const product = (names: Map<string, string>): boolean => [...names.values()].some((from) => !isStandIn(from))
  const support =
    [...has.values()].some((from) => ![...had.values()].includes(from)) ||
    [...has.keys()].some((name) => !had.has(name))
  const left =
    product(had) && !product(has) && !support && packagesIn(after).every((name) => packagesIn(before).includes(name))
  const borrowed = ['test', 'it', 'describe', 'assert', 'expect'].filter((name) => has.has(name) && !had.has(name))
  const strict = /assert\/strict|\bassert['"]\)\.strict\b|\bstrict as assert\b|\bas assert\b.*\/strict/
  const loose = strict.test(before) && !strict.test(after) && /\bassert\.(?:equal|deepEqual|notEqual)\(/.test(after)
  return [
    ...own.map((name) => ({
      rule: 'test-weakened',
      message: `"${name}" is not the product's any more, the test defines it itself`,
    })),
    ...exchanged(had, has, before).map((name) => ({
      rule: 'test-weakened',
      message: `"${name}" is not the product's any more, it comes from ${has.get(name)}`,
    })),
    ...(left && own.length === 0
      ? [{ rule: 'test-weakened', message: 'these tests have nothing of the product any more' }]
      : []),
    ...borrowed.map((name) => ({ rule: 'test-disabled', message: `"${name}" is not the test runner's any more` })),
    ...(loose ? [{ rule: 'test-weakened', message: 'assertions that were strict are not any more' }] : []),
  ]
}

/** What assertions are about, and came from the product, comes from among the tests. */
const exchanged = (had: Map<string, string>, has: Map<string, string>, before: string): string[] =>
  [...has].flatMap(([name, from]) => {
    const former = had.get(name)
    if (former === undefined || isStandIn(former) || !isStandIn(from)) return []
    return new RegExp(`\\b(?:assert|expect)\\b.*\\b${name.replace(/\$/g, '\\$')}\\b`).test(before) ? [name] : []
  })

const isStandIn = (path: string): boolean =>
  isInTestFolder(path) || isFixture(path) || /(?:^|\/)_*(?:mocks?|fakes?|doubles?|stubs?)_*\//.test(path)

/** Names that come from files of the project, and from which. */
function importedNames(path: string, { text, masked }: TestFile): Map<string, string> {
  const imports =
    /(?:import|const|let|var)\s+([\w$*\s{},:]{1,2000}?)\s{0,200}(?:from|=\s*(?:await\s+import|require)\s*\()\s*['"](\.{1,2}\/[^'"\n]*)['"]/g
  const names = new Map<string, string>()
  // Tests about code hold code as text.
  const real = [...text.matchAll(imports)].filter(({ index }) => masked[index] === text[index])
  for (const found of real)
    for (const word of found[1]!.split(/[{},]/)) {
      const [name] = word
        .trim()
        .split(/\s+as\s+|\s*:\s*/)
        .slice(-1)
      if (/^[\w$]+$/.test(name!.trim())) names.set(name!.trim(), join(folderOf(path), found[2]!))
    }
  if (path.endsWith('.py')) for (const [name, from] of importedInPython(text)) names.set(name, from)
  return names
}

const importedInPython = (text: string): [string, string][] =>
  [...text.matchAll(/^from\s+([\w.]+)\s+import\s+(?:\(([^)]*)\)|(.+))$/gm)].flatMap((found) =>
    (found[2] ?? found[3]!).split(',').map((word): [string, string] => [
      word
        .trim()
        .split(/\s+as\s+/)
        .at(-1)!,
      found[1]!.replaceAll('.', '/'),
    ]),
  )

/** A package may be how the product is imported from now on. */
const packagesIn = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"]([^'".][^'"\n]*)['"]/g)].map(
    (found) => found[1]!,
  )

/** How often a text gives this name a function of its own, as a declaration, a parameter or otherwise. */
function definitionsOf(name: string, text: string): number {
  const own = name.replace(/\$/g, '\\$')
  const given = `(?<![\\w$.])${own}\\s*=(?![=>])\\s*(?:[^\\n;]*(?:=>|\\bfunction\\b))`
  return [...text.matchAll(new RegExp(`\\b(?:function|def)\\s+${own}\\s*\\(|${given}`, 'g'))].length
}
