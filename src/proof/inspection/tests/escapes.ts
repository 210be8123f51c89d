import type { Finding } from '../../../delivery/judging/finding.ts'
import { type Change, folderOf, isFixture, join, pathBefore } from '../change.ts'
import { report } from '../report.ts'
import type { TestChange, TestFile } from './cases.ts'
import { isInTestFolder } from './test-file.ts'

interface Way {
  rule: string
  message: string
  sign: RegExp
  /** In a file that was not there before it does no harm to other tests. */
  harmlessInFresh: boolean
}

const ways: Way[] = [
  {
    rule: 'test-exits',
    message: 'a test ends the whole run as if it had passed',
    sign: /\bprocess\.(?:exit|reallyExit)\s*\(\s*0?\s*\)|\bprocess\.exitCode\s*=\s*0|\bDeno\.exit\s*\(\s*0?\s*\)|\b(?:sys\.exit|os\._exit)\s*\(\s*0?\s*\)|\bpytest\.exit\s*\(|\bos\.Exit\s*\(\s*0\s*\)|\bprocess::exit\s*\(\s*0\s*\)|\bSystem\.exit\s*\(\s*0\s*\)|^[ \t]*exit!?[ \t]*\(?0?\)?[ \t]*$/gm,
    harmlessInFresh: false,
  },
  {
    rule: 'test-disabled',
    message: 'tests were put where they are never reached',
    sign: /\bif\s*\(\s*(?:false|0|!1|!true)\s*\)|\bif\s+(?:False|0)\s*:|\bif\s+false\b|\bfalse\s*&&\s*(?:test|it|describe)\b|#if\s+(?:0|false)\b|^return\s*;?$|\bof\s+\[\s*\]\s*\)|\[\s*\]\s*\.\s*(?:forEach|map)\s*\(/gm,
    harmlessInFresh: false,
  },
  {
    rule: 'test-disabled',
    message: 'the functions that tests are made of were replaced',
    sign: /\b(?:mock\.method|spyOn|stub|Object\.(?:assign|define\w+))\s*\(\s*(?:assert|expect|test|it|describe)\b|\b(?:assert|expect)\.\w+\s*=[^=>]|\bglobal(?:This)?\.(?:assert|expect|test|it|describe)\s*=[^=]|\bfunction\s+(?:test|it|describe|assert|expect)\s*\(|\b(?:const|let|var)\s+(?:test|it|describe|assert|expect)\s*=\s*(?:async\s*)?(?:\(|function\b)|\bprocess\.on\s*\(\s*["']\s*["']\s*,\s*\(?\w*\)?\s*=>\s*\{\s*\}/g,
    harmlessInFresh: true,
  },
]

/** Ways to make a run end well without the tests having run, or without the product in them. */
export function escapeFindings({ change, before, after }: TestChange): Finding[] {
  if (after === null) return []
  const found = ways
    .filter((way) => !(way.harmlessInFresh && before === null))
    .filter((way) => count(after, way.sign) > (before === null ? 0 : count(before, way.sign)))
    .map(({ rule, message }) => ({ rule, message }))
  if (before !== null) found.push(...replacements(change, before.text, after.text))
  return found.map(({ rule, message }) =>
    report({ rule, file: change.path, what: message, message, fixTarget: 'tests' }),
  )
}

const count = (file: TestFile, sign: RegExp): number => [...file.masked.matchAll(sign)].length

/** What tests stand on was exchanged under them. */
function replacements(change: Change, before: string, after: string): { rule: string; message: string }[] {
  const [had, has] = [importedNames(pathBefore(change), before), importedNames(change.path, after)]
  const own = [...had.keys()].filter((name) => definitionsOf(name, after) > definitionsOf(name, before))
  const product = (names: Map<string, string>): boolean => [...names.values()].some((from) => !isStandIn(from))
  const left = product(had) && !product(has) && packagesIn(after).every((name) => packagesIn(before).includes(name))
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
function importedNames(path: string, text: string): Map<string, string> {
  const imports =
    /(?:import|const|let|var)\s+([\w$*\s{},:]+?)\s*(?:from|=\s*(?:await\s+import|require)\s*\()\s*['"](\.{1,2}\/[^'"\n]*)['"]/g
  const names = new Map<string, string>()
  for (const found of text.matchAll(imports))
    for (const word of found[1]!.split(/[{},]/)) {
      const [name] = word
        .trim()
        .split(/\s+as\s+|\s*:\s*/)
        .slice(-1)
      if (/^[\w$]+$/.test(name!.trim())) names.set(name!.trim(), join(folderOf(path), found[2]!))
    }
  return names
}

/** A package may be how the product is imported from now on. */
const packagesIn = (text: string): string[] =>
  [...text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)['"]([^'".][^'"\n]*)['"]/g)].map(
    (found) => found[1]!,
  )

/** How often a text gives this name a function of its own, as a declaration, a parameter or otherwise. */
function definitionsOf(name: string, text: string): number {
  const own = name.replace(/\$/g, '\\$')
  const given = `(?<![\\w$.])${own}\\s*=(?![=>])\\s*(?:[^\\n;]*(?:=>|\\bfunction\\b))`
  return [...text.matchAll(new RegExp(`\\bfunction\\s+${own}\\s*\\(|${given}`, 'g'))].length
}
