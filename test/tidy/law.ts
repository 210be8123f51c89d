// Rules for the law alone.
import { dirname } from 'node:path/posix'
import { isTest, type Module } from './module.ts'
import { importCycles } from './rooms.ts'

const table = 'src/delivery/story/transitions.ts'
/** A plan and an intent have a control of their own. */
const written = /(?<!\b(?:plan|intent))\.control(?:\.\w+)*\s*(?:[-+]?=(?!=)|\.(?:push|splice|sort|reverse)\()/g

/** Where a story is put anywhere but by the table; the compiler sees the rest, because the field is read-only. */
export function strayTransitions(modules: Module[]): string[] {
  const law = modules.filter(({ path }) => path.startsWith('src/delivery/') && path !== table && !isTest(path))
  return law.flatMap(({ path, code }) => [...code.matchAll(written)].map((found) => `${path}: ${found[0].trim()}`))
}

/** Which folder of the law leads to itself. The files above all folders are taken one by one: they hold them together. */
export function folderCycles(modules: Module[]): string[] {
  const folders = new Map<string, Module>()
  for (const { path, imports } of modules.filter((one) => one.path.startsWith('src/delivery/') && !isTest(one.path))) {
    const folder = folderOf(path)
    const known = folders.get(folder) ?? { path: folder, text: '', code: '', comments: [], imports: [] }
    const others = imports.map(folderOf).filter((other) => other !== folder)
    folders.set(folder, { ...known, imports: [...known.imports, ...others] })
  }
  return importCycles([...folders.values()])
}

const folderOf = (path: string): string => (dirname(path) === 'src/delivery' ? path : dirname(path))

const machine = /^src\/delivery\/(intent|plan|review|line)\//
const course = /\/(?:course|deciding)\//

/** What follows in one machine never reaches into what follows in another; that a story moves is for all of them. */
export function crossedMachines(modules: Module[]): string[] {
  return modules
    .filter(({ path }) => machine.test(path) && course.test(path) && !isTest(path))
    .flatMap(({ path, imports }) => {
      const own = machine.exec(path)![1]
      const others = imports.filter((target) => course.test(target) && (machine.exec(target)?.[1] ?? own) !== own)
      return others.map((target) => `${path} imports ${target}`)
    })
}
