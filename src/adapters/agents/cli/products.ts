// The products that have a driver of their own.
import type { Variables } from '../turn.ts'

/** The declaration of each, loaded when it is first asked. */
export const productDrivers = {
  claude: async () => (await import('./products/claude.ts')).claude,
  codex: async () => (await import('./products/codex.ts')).codex,
  gemini: async () => (await import('./products/gemini.ts')).gemini,
  opencode: async () => (await import('./products/opencode.ts')).opencode,
  qwen: async () => (await import('./products/qwen.ts')).qwen,
  copilot: async () => (await import('./products/copilot.ts')).copilot,
}

/** Where in the user's home the settings, sign-ins and sessions of each are: all other agents must not see them. */
const keeps: Record<keyof typeof productDrivers, string[]> = {
  claude: ['.claude', '.claude.json'],
  codex: ['.codex'],
  gemini: ['.gemini'],
  opencode: ['.config/opencode', '.local/share/opencode', '.local/state/opencode'],
  qwen: ['.qwen'],
  copilot: ['.copilot'],
}

/** The places of all of them, and where they are instead when the user has moved them. */
export const productPlaces = (env: Variables): { keeps: string[]; moved: string[] } => ({
  keeps: Object.values(keeps).flat(),
  moved: [
    ...[env.CLAUDE_CONFIG_DIR, env.CODEX_HOME, env.QWEN_HOME, env.COPILOT_HOME],
    env.GEMINI_CLI_HOME && `${env.GEMINI_CLI_HOME}/.gemini`,
  ].flatMap((path) => path || []),
})
