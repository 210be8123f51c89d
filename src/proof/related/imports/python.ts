import { folderOf, join } from '../../files/change.ts'
import type { Reads, Tree } from '../tree.ts'

const statements =
  /^[ \t]*(?:from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+(\([^)]{0,5000}\)|[^\n#;]+)|import[ \t]+([\w.]+(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[\w.]+(?:[ \t]+as[ \t]+\w+)?)*))/gm

/** Python: modules are looked for beside the file, in its folders upwards, and in `src` and `lib`. */
export function pythonReads({ files, texts }: Tree): Reads {
  return (path) => {
    const text = texts.get(path)
    if (text === undefined) return []
    return [...[...text.matchAll(statements)].flatMap((found) => resolve(path, found)), ...conftests(path)]
  }

  function resolve(from: string, [, module, names, plain]: RegExpMatchArray): string[] {
    if (plain !== undefined) return plain.split(',').flatMap((one) => absolute(from, one.trim().split(/\s/)[0]!))
    const imported = names!.replace(/[()]/g, '').split(',')
    const wanted = imported.map((one) => one.trim().split(/\s/)[0]!).filter((one) => /^\w+$/.test(one))
    const dots = /^\.*/.exec(module!)![0].length
    const rest = module!.slice(dots)
    const modules = [rest, ...wanted.map((one) => (rest === '' ? one : `${rest}.${one}`))].filter((one) => one !== '')
    if (dots === 0) return modules.flatMap((one) => absolute(from, one))
    const folder = join(folderOf(from), '../'.repeat(dots - 1))
    return [...modules.flatMap((one) => moduleIn(folder, one)), ...moduleIn(folder, '__init__')]
  }

  function absolute(from: string, module: string): string[] {
    for (const root of [...foldersUp(from), 'src', 'lib']) {
      const found = moduleIn(root, module)
      if (found.length > 0) return found
    }
    return []
  }

  /** Whoever imports `a.b` executes the package `a` too. */
  function moduleIn(folder: string, module: string): string[] {
    const parts = module.split('.')
    const path = join(folder, parts.join('/'))
    const found = [`${path}.py`, `${path}/__init__.py`].filter((name) => files.has(name))
    if (found.length === 0) return []
    const packages = parts
      .slice(0, -1)
      .map((_, index) => join(folder, `${parts.slice(0, index + 1).join('/')}/__init__.py`))
    return [...found, ...packages.filter((name) => files.has(name))]
  }

  function conftests(path: string): string[] {
    const found = foldersUp(path).map((folder) => join(folder, 'conftest.py'))
    return found.filter((name) => name !== path && files.has(name))
  }
}

/** The folder of a file, the one around it, and so on to the root. */
function foldersUp(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return Array.from({ length: parts.length + 1 }, (_, index) => parts.slice(0, parts.length - index).join('/'))
}
