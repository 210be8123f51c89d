// What of our environment an agent or a check may see. Credentials, variables of a surrounding agent and of git
// are not on the list, and so never pass.

import { redactor, secretsIn } from './redaction.ts'

const names = new Set(
  `PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TMPDIR
  XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR
  NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR
  npm_config_registry npm_config_cache
  http_proxy https_proxy no_proxy all_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY`.split(/\s+/),
)

/** No push, no prompt: no ssh, no stored credentials, nobody to ask. */
const harmlessGit = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_SSH_COMMAND: 'false',
  GIT_ASKPASS: 'true',
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'credential.helper',
  GIT_CONFIG_VALUE_0: '',
}

/** The environment of an agent or a check: what is on the list, and what the caller adds. */
export function allowedEnvironment(
  source: Record<string, string | undefined>,
  extra: Record<string, string>,
): Record<string, string> {
  const allowed: Record<string, string> = {}
  for (const [name, value] of Object.entries(source))
    if (value !== undefined && (names.has(name) || name.startsWith('LC_'))) allowed[name] = value
  return { ...allowed, TERM: 'dumb', ...harmlessGit, ...extra }
}

/** Keys by another name, and what would lead a command, or git in it, to somewhere else than its place. */
const kept =
  /^(?:AWS|AZURE|GOOGLE|GCLOUD|CLOUDSDK|VAULT|DOCKER|KUBE|OP|SSH|GPG|DBUS|GIT|ROPEWALK)_|_AUTH_SOCK$|^KUBECONFIG$/
/** Of an agent or an editor that we were started from, or of the runner of our own package. */
const surrounding =
  /^(?:CLAUDE|CODEX|GEMINI|OPENCODE|QWEN|COPILOT|CURSOR|GOOSE|KIRO|AIDER|ANTHROPIC|OPENAI|VSCODE)|^(?:npm_(?:package|lifecycle|config_(?:local_prefix|user_agent|noproxy|npm_version|global_prefix|node_gyp|prefix|userconfig|globalconfig))|INIT_CWD|NODE$|VITEST|BASH_ENV|NODE_OPTIONS|NODE_CHANNEL)/

/** The environment of the user's own commands: all of it but what is secret, and what is not theirs; and these. */
export function usersEnvironment(
  source: Record<string, string | undefined>,
  extra: Record<string, string>,
): Record<string, string> {
  const told: Record<string, string> = {}
  const redact = redactor([])
  for (const [name, value] of Object.entries(source)) {
    if (value === undefined || kept.test(name) || surrounding.test(name)) continue
    if (isSecretName(name) || redact(value) !== value) continue
    told[name] = value
  }
  return { ...told, ...extra }
}

/** Also where the value is too short to be looked for in texts. */
const isSecretName = (name: string): boolean => secretsIn({ [name]: 'x'.repeat(64) }).length > 0
