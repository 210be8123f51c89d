import type { Parser } from './check-result.ts'
import { nodeTest } from './runners/node-test.ts'
import { tap } from './runners/tap/tap.ts'

/** Everybody who may have printed a report. */
export const parsers: Parser[] = [nodeTest, tap]
