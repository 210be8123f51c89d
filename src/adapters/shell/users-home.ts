import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { constants, existsSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Compiled, Elsewhere } from '../../ports/shell.ts'

type Env = Record<string, string | undefined>

/** Where keys to other things than a model lie. */
const keys = `.ssh .gnupg .aws .azure .kube .docker .netrc .git-credentials .config/gh .config/glab-cli .config/hub
  .config/git/credentials .config/gcloud .config/doctl .config/rclone .config/containers/auth.json .oci
  .npmrc .yarnrc .yarnrc.yml .pypirc .gem/credentials .cargo/credentials .cargo/credentials.toml .m2/settings.xml
  .m2/settings-security.xml .gradle/gradle.properties .nuget/NuGet/NuGet.Config .terraform.d/credentials.tfrc.json
  .vault-token .pgpass .my.cnf .password-store .local/share/keyrings .local/share/kwalletd .config/op .config/Bitwarden`
/** Profiles of browsers: cookies are keys too. */
const browsers = `.mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware
  .config/microsoft-edge .config/vivaldi .config/opera .config/mozilla snap/firefox snap/chromium snap/brave
  .var/app/org.mozilla.firefox .var/app/com.google.Chrome .var/app/org.chromium.Chromium .var/app/com.brave.Browser`
/** What agents without a driver of their own keep, and one more place of another; to each its own is shown again. */
const others = `.config/github-copilot .config/goose .local/share/goose .kimi .cursor .config/cursor .kiro
  .local/share/kiro-cli .factory .iflow .qoder .poolside .config/poolside`
/** In the folder of an agent: what it runs or follows when it is started the next time, perhaps by the user. */
const programs = `settings.json settings.local.json config.toml config.yaml mcp.json mcp-config.json .mcp.json lsp-config.json
  hooks.json opencode.json opencode.jsonc tui.json .env trustedFolders.json trusted_hooks.json managed-mcp.json
  CLAUDE.md AGENTS.md AGENTS.override.md GEMINI.md QWEN.md copilot-instructions.md .goosehints statusline.sh
  hooks plugin plugins installed-plugins extensions command commands prompts agent agents droids mode modes
  skill skills tool tools rules policies instructions steering settings recipes output-styles themes local bin`
const ours = ['log.sqlite', 'log.sqlite-wal', 'log.sqlite-shm', 'blobs', 'spools', 'agents']

interface UsersPlaces {
  /** Ropewalk's own folder. */
  home: string
  userHome: string
  env: Env
  /** Of agents with a driver of their own: their settings, sign-ins and sessions, in the home and where they were moved. */
  agents: { keeps: string[]; moved: string[] }
}

/** What no agent must see, unless it is its own: keys, other agents' homes, what other deliveries have said. */
export function secretPlaces({ home, userHome, env, agents }: UsersPlaces): string[] {
  const names = [...[keys, browsers, others].flatMap(words), ...agents.keeps]
  const ofUser = names.flatMap((path) => bothPlaces(path, userHome, env))
  return [...ofUser, ...agents.moved, ...ours.map((name) => join(home, name))]
}

/** What of an agent's own it may read and not change, so that it leaves nothing behind that runs unconfined. */
export function guardedPlaces({ userHome, env, agents }: Omit<UsersPlaces, 'home'>): string[] {
  const folders = [...words(others), ...agents.keeps]
    .filter((path) => !path.endsWith('.json'))
    .flatMap((path) => bothPlaces(path, userHome, env))
  return [...folders, ...agents.moved].flatMap((folder) => words(programs).map((name) => join(folder, name)))
}

/** What agents that are not confined look for above the folder that they work in, and in the user's home. */
const instructions = 'CLAUDE.md CLAUDE.local.md .claude/CLAUDE.md AGENTS.md GEMINI.md QWEN.md'

/** Those that are there, though nobody has given them to the agent. */
export function strayInstructions(folder: string, userHome: string): string[] {
  const found = foldersAbove(folder).flatMap((above) => words(instructions).map((name) => join(above, name)))
  return [...found, join(userHome, '.agents/skills')].filter((path) => existsSync(path))
}

function foldersAbove(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [] : [above, ...foldersAbove(above)]
}

const variables: Record<string, string> = {
  '.config': 'XDG_CONFIG_HOME',
  '.local/share': 'XDG_DATA_HOME',
  '.local/state': 'XDG_STATE_HOME',
}

/** Where it usually is, and where it has been moved to. */
function bothPlaces(path: string, userHome: string, env: Env): string[] {
  const folder = Object.keys(variables).find((one) => path.startsWith(`${one}/`))
  const moved = folder === undefined ? undefined : env[variables[folder] ?? '']
  return [join(userHome, path), ...(folder && moved ? [join(moved, path.slice(folder.length))] : [])]
}

// What tool chains need of the user's home. Of folders that hold keys too, only the parts without keys are named.

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
