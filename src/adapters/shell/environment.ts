// What of our environment an agent or a check may see. Credentials, variables of a surrounding agent and of git
// are not on the list, and so never pass.

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
