import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

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

export interface UsersPlaces {
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

const words = (text: string): string[] => text.split(/\s+/)

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
