import type { Runner } from '../../delivery/judging/runner.ts'
import type { Report } from './check-result.ts'
import { readCargo } from './runners/cargo.ts'
import { readGo } from './runners/go.ts'
import { readJest } from './runners/jest.ts'
import { readJunit } from './runners/junit.ts'
import { readMocha } from './runners/mocha.ts'
import { readNodeTest } from './runners/node-test.ts'
import { readPytest } from './runners/pytest.ts'
import { readTap } from './runners/tap.ts'
import { readUnittest } from './runners/unittest.ts'
import { readVitest } from './runners/vitest.ts'

/**
 * Everybody who may have printed a report. Each reads, in linear time, the reports in a text, which several runs leave
 * one after the other. A name that settings may give, and that nobody reads, does not compile.
 */
export const parsers: Record<Exclude<Runner, 'exit-code'>, (text: string) => Report[]> = {
  'node:test': readNodeTest,
  tap: (text) => readTap(text),
  junit: readJunit,
  vitest: readVitest,
  jest: readJest,
  mocha: readMocha,
  pytest: readPytest,
  unittest: readUnittest,
  go: readGo,
  cargo: readCargo,
}
