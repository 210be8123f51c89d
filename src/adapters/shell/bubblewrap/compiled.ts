import { constants, existsSync } from 'node:fs'
import { cp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Compiled } from '../../../ports/shell.ts'

/** Go's, which it must be able to write to. Null: it is where nothing can be put for a confined command. */
export function compiledOf({ userHome, env }: { userHome: string; env: Env }): Compiled | null {
  const at = env.GOCACHE ?? join(env.XDG_CACHE_HOME ?? join(userHome, '.cache'), 'go-build')
  if (!at.startsWith(join(userHome, '/')) && !existsSync(at)) return null
  return {
    at,
    async keep(made, kept) {
      if ((await readdir(made)).length === 0) return
      // It holds results of tests, too, and Go does not see all that they depend on: those made until now are void.
      await writeFile(join(made, 'testexpire.txt'), `${BigInt(Date.now()) * 1_000_000n}\n`)
      await rename(made, kept).catch(() => {})
    },
    async copy(kept, to) {
      if (!existsSync(kept)) return false
      const how = { recursive: true, mode: constants.COPYFILE_FICLONE, verbatimSymlinks: true }
      // Without it, all is only slower: where there is no room for it, nobody stops for that.
      const [copied] = await Promise.allSettled([cp(kept, to, how)])
      if (copied.status === 'rejected') await rm(to, { recursive: true, force: true })
      return copied.status === 'fulfilled'
    },
  }
}

type Env = Record<string, string | undefined>
