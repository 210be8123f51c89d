// What tool chains need of the user's home. Of folders that hold keys too, only the parts without keys are named.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

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

/** Those that a tool fills when it fetches something. Go must be able to write its own: see compiled.ts. */
const caches = words(`
  .npm .cache/yarn .yarn/berry/cache .cache/pnpm .local/share/pnpm .cache/pip .cache/uv .cache/node-gyp .cache/go-build
  .cache/deno go/pkg .cargo/registry .cargo/git .m2/repository .gradle/caches .gradle/wrapper .nuget/packages
  .composer/cache .ivy2/cache .pub-cache/hosted .hex/packages`)

/** What of the user's home a command sees that has no claim on the rest. */
export const toolPlaces = (userHome: string): string[] =>
  tools.map((name) => join(userHome, name)).filter((path) => existsSync(path))

export const cachePlaces = (userHome: string): { name: string; at: string }[] =>
  caches.map((name) => ({ name: name.replaceAll('/', '-'), at: join(userHome, name) }))
