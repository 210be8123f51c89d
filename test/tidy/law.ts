// Rules for the law alone.
import { isTest, type Module } from './module.ts'

const table = 'src/delivery/story/transitions.ts'
/** A plan and an intent have a control of their own. */
const written = /(?<!\b(?:plan|intent))\.control(?:\.\w+)*\s*(?:[-+]?=(?!=)|\.(?:push|splice|sort|reverse)\()/g

/** Where a story is put anywhere but by the table; the compiler sees the rest, because the field is read-only. */
export function strayTransitions(modules: Module[]): string[] {
  const law = modules.filter(({ path }) => path.startsWith('src/delivery/') && path !== table && !isTest(path))
  return law.flatMap(({ path, code }) => [...code.matchAll(written)].map((found) => `${path}: ${found[0].trim()}`))
}
