import type { Runner } from '../../delivery/judging/runner.ts'
import type { Parser } from './check-result.ts'
import { cargo } from './runners/cargo.ts'
import { go } from './runners/go.ts'
import { jest } from './runners/jest.ts'
import { junit } from './runners/junit.ts'
import { mocha } from './runners/mocha.ts'
import { nodeTest } from './runners/node-test.ts'
import { pytest } from './runners/pytest.ts'
import { tap } from './runners/tap.ts'
import { unittest } from './runners/unittest.ts'
import { vitest } from './runners/vitest.ts'

type Name = Exclude<Runner, 'exit-code'>

/** A name that settings may give, and that nobody reads, does not compile. */
const readers: Record<Name, Parser> = {
  'node:test': nodeTest,
  tap,
  junit,
  vitest,
  jest,
  mocha,
  pytest,
  unittest,
  go,
  cargo,
}

/** Everybody who may have printed a report. */
export const parsers = Object.entries(readers).map(([name, { read }]) => ({ name: name as Name, read }))
