import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { lineOf, ourGit } from '../run.ts'

/** What our clones keep of a delivery, whatever the log says. */
export interface KeptRefs {
  delivery: string
  clone: string
  refs: string[]
}

const others = new Set(['target', 'pull', 'notes'])

/** Of every delivery that has a ref of ours. */
export async function keptRefs(home: string): Promise<KeptRefs[]> {
  const folder = join(home, 'repositories')
  const clones = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.git'))
  const all = await Promise.all(clones.map((name) => refsIn(join(folder, name))))
  return all.flat()
}

async function refsIn(clone: string): Promise<KeptRefs[]> {
  const args = ['--git-dir', clone, 'for-each-ref', '--format=%(refname)', 'refs/ropewalk/']
  const refs = lineOf(await ourGit({ args, accept: [1, 128] }))
    .split('\n')
    .filter(Boolean)
  const found = new Map<string, string[]>()
  for (const ref of refs) {
    const [, , first = '', second = ''] = ref.split('/')
    const delivery = first === 'archive' ? second : first
    if (!others.has(first)) found.set(delivery, [...(found.get(delivery) ?? []), ref])
  }
  return [...found].map(([delivery, its]) => ({ delivery, clone, refs: its }))
}
