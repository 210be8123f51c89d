// A broken product whose existing tests were bent so that they agree with it.
import { type ByChain, pick } from '../chains.ts'
import type { Operators } from '../deed.ts'
import { loadable, testFile } from '../work.ts'
import { assertions } from './assertions.ts'
import { files } from './files.ts'
import { tests } from './tests.ts'

const from = (table: Record<string, ByChain>, part: 'assertion' | 'test'): Operators =>
  Object.fromEntries(
    Object.entries(table).map(([name, texts]) => [
      `${part}: ${name}`,
      (work) => {
        const text = pick(work.chain, texts)
        if (text === undefined) return null
        const test = testFile(work.chain, work.there, { style: work.style, [part]: text })
        return { files: { [work.chain.test(work.there.name)]: part === 'test' ? loadable(work.chain, test) : test } }
      },
    ]),
  )

export const guard: Operators = {
  ...from(assertions, 'assertion'),
  ...from(tests, 'test'),
  ...Object.fromEntries(Object.entries(files).map(([name, operator]) => [`around: ${name}`, operator])),
}
