import type { Finding } from '../../../delivery/judging/finding.ts'
import { report } from '../report.ts'
import type { TestChange, TestFile } from './cases.ts'

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
    sign: /\bprocess\.(?:exit|reallyExit)\s*\(\s*0?\s*\)|\bprocess\.exitCode\s*=\s*0|\bDeno\.exit\s*\(\s*0?\s*\)|\b(?:sys\.exit|os\._exit)\s*\(\s*0?\s*\)|\bpytest\.exit\s*\(|\bos\.Exit\s*\(\s*0\s*\)|\bprocess::exit\s*\(\s*0\s*\)|\bSystem\.exit\s*\(\s*0\s*\)|^\s*exit!?\s*\(?0?\)?\s*$/gm,
    harmlessInFresh: false,
  },
  {
    rule: 'test-disabled',
    message: 'tests were put where they are never reached',
    sign: /\bif\s*\(\s*(?:false|0|!1|!true)\s*\)|\bif\s+(?:False|0)\s*:|\bif\s+false\b|\bfalse\s*&&\s*(?:test|it|describe)\b|#if\s+(?:0|false)\b/g,
    harmlessInFresh: false,
  },
  {
    rule: 'test-disabled',
    message: 'the functions that tests are made of were replaced',
    sign: /\b(?:assert|expect)\.\w+\s*=[^=>]|\bglobal(?:This)?\.(?:assert|expect|test|it|describe)\s*=[^=]|\bfunction\s+(?:test|it|describe|assert|expect)\s*\(|\b(?:const|let|var)\s+(?:test|it|describe|assert|expect)\s*=\s*(?:async\s*)?(?:\(|function\b)|\bprocess\.on\s*\(\s*["']\s*["']\s*,\s*\(?\w*\)?\s*=>\s*\{\s*\}/g,
    harmlessInFresh: true,
  },
]

/** Ways to make a run end well without the tests having run. */
export function escapeFindings({ change, before, after }: TestChange): Finding[] {
  if (after === null) return []
  return ways
    .filter((way) => !(way.harmlessInFresh && before === null))
    .filter((way) => count(after, way.sign) > (before === null ? 0 : count(before, way.sign)))
    .map((way) =>
      report({
        rule: way.rule,
        file: change.path,
        what: way.message,
        message: way.message,
        fixTarget: 'tests',
      }),
    )
}

const count = (file: TestFile, sign: RegExp): number => [...file.masked.matchAll(sign)].length
