// What tool chains need of the user's home. Of folders that hold keys too, only the parts without keys are named.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Compiled, Elsewhere } from '../../../ports/shell.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

const tools = words(`
  .rustup .cargo/bin .cargo/config .cargo/config.toml .cargo/env .cargo/registry .cargo/git .pyenv .nvm .volta .asdf
  .fnm .local/bin .local/lib .local/share/pnpm .local/share/uv .local/share/mise .local/share/virtualenv
  .local/share/fnm .local/share/pipx .local/share/JetBrains/Toolbox go/bin go/pkg .cache/ms-playwright
  .cache/Cypress .cache/uv .cache/pip .cache/node-gyp .cache/yarn .cache/pnpm .cache/deno .cache/puppeteer
  .cache/node/corepack .npm .yarn .m2/repository .m2/wrapper .gradle/caches .gradle/wrapper .gradle/init.d .gradle/jdks
  .sdkman .jdks .bun .deno .rbenv .rvm .gem/ruby .gem/specs .bundle/cache .composer/vendor .composer/cache
  .nuget/packages .dotnet .julia .ivy2/cache .ivy2/local .sbt/boot .sbt/1.0 .pub-cache/hosted .pub-cache/bin .mix .hex/packages
  .ghcup .stack .cabal/bin .cabal/packages .cabal/store .opam .luarocks .gitconfig .config/git/config
  .config/git/ignore .config/git/attributes .config/go .config/pip/uv.toml .config/mise .terminfo`)

/** Those that a tool fills when it fetches something. Go must be able to write its own. */
const caches = words(`
  .npm .cache/yarn .yarn/berry/cache .cache/pnpm .local/share/pnpm .cache/pip .cache/uv .cache/node-gyp .cache/go-build
  .cache/deno go/pkg .cargo/registry .cargo/git .m2/repository .gradle/caches .gradle/wrapper .nuget/packages
  .composer/cache .ivy2/cache .pub-cache/hosted .hex/packages`)

/** What of the user's home a command sees that has no claim on the rest. */
export const toolPlaces = (userHome: string): string[] =>
  tools.map((name) => join(userHome, name)).filter((path) => existsSync(path))

const cachePlaces = (userHome: string): { name: string; at: string }[] =>
  caches.map((name) => ({ name: name.replaceAll('/', '-'), at: join(userHome, name) }))

/** A larger one of the user's is not copied: what is needed of it is fetched again. */
const largestKb = 2_000_000

/**
 * Caches of our own for set-up commands, so that what those fetch is kept and the user's stay as they are. Each begins
 * as a copy of the user's.
 */
export async function ownCaches({ home, userHome }: { home: string; userHome: string }): Promise<Elsewhere[]> {
  const folder = join(home, 'caches')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const wanted = cachePlaces(userHome).map(({ name, at }) => ({ from: join(folder, name), at, write: true }))
  for (const one of wanted) if (!existsSync(one.from)) await seed(one)
  return wanted
}

/** Another process may do the same: who comes second finds it there. */
async function seed({ from, at }: Elsewhere): Promise<void> {
  const making = `${from}.making-${randomBytes(6).toString('hex')}`
  const kb = existsSync(at) ? Number.parseInt(await said('du', ['-sk', at]), 10) : Number.NaN
  if (kb <= largestKb) await said('cp', ['-a', '--reflink=auto', at, making])
  await mkdir(making, { recursive: true, mode: 0o700 })
  await rename(making, from).catch(() => rm(making, { recursive: true, force: true }))
}

function said(program: string, args: string[]): Promise<string> {
  return new Promise((done) => execFile(program, args, { maxBuffer: 1_000_000 }, (_, stdout) => done(stdout)))
}

/** Go's, which it must be able to write to. Null: it is where nothing can be put for a confined command. */
export function compiledOf({
  userHome,
  env,
}: {
  userHome: string
  env: Record<string, string | undefined>
}): Compiled | null {
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
