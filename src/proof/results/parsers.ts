import type { Parser } from './check-result.ts'
import { nodeTest } from './node-test.ts'
import { tap } from './tap.ts'

/** Asked in this order; the first that recognises an output reads it. */
export const parsers: Parser[] = [nodeTest, tap]
