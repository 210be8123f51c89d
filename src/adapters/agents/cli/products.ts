// The products that have a driver of their own.
import type { Variables } from '../turn.ts'
import type { CliAgent } from './cli-agent.ts'

interface Product {
  /** Its declaration, loaded when it is first asked. */
  load(): Promise<CliAgent>
  /** Where in the user's home its settings, sign-ins and sessions are: all other agents must not see them. */
  keeps: string[]
  /** Where they are instead when the user has moved them. */
  moved(env: Variables): string | undefined
}

export const productDrivers = {
  claude: {
    load: async () => (await import('./products/claude.ts')).claude,
    keeps: ['.claude', '.claude.json'],
    moved: (env) => env.CLAUDE_CONFIG_DIR,
  },
  codex: {
    load: async () => (await import('./products/codex.ts')).codex,
    keeps: ['.codex'],
    moved: (env) => env.CODEX_HOME,
  },
  gemini: {
    load: async () => (await import('./products/gemini.ts')).gemini,
    keeps: ['.gemini'],
    moved: (env) => env.GEMINI_CLI_HOME && `${env.GEMINI_CLI_HOME}/.gemini`,
  },
  opencode: {
    load: async () => (await import('./products/opencode.ts')).opencode,
    keeps: ['.config/opencode', '.local/share/opencode', '.local/state/opencode'],
    moved: () => undefined,
  },
  qwen: {
    load: async () => (await import('./products/qwen.ts')).qwen,
    keeps: ['.qwen'],
    moved: (env) => env.QWEN_HOME,
  },
  copilot: {
    load: async () => (await import('./products/copilot.ts')).copilot,
    keeps: ['.copilot'],
    moved: (env) => env.COPILOT_HOME,
  },
} satisfies Record<string, Product>

/** The places of all of them. */
export const productPlaces = (env: Variables): { keeps: string[]; moved: string[] } => ({
  keeps: Object.values(productDrivers).flatMap(({ keeps }) => keeps),
  moved: Object.values(productDrivers).flatMap(({ moved }) => moved(env) || []),
})
