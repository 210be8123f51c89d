import { redactor, secretsIn } from '../redaction/redact.ts'

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
