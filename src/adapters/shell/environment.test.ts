import { expect, it } from 'vitest'
import { allowedEnvironment, usersEnvironment } from './environment.ts'

it('passes what programs need to work', () => {
  const source = { PATH: '/bin', HOME: '/home/a', LC_ALL: 'C.UTF-8', TZ: 'UTC', https_proxy: 'http://proxy' }
  expect(allowedEnvironment(source, {})).toMatchObject(source)
})

it.each([
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SSE_PORT',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'GEMINI_CLI',
  'GEMINI_API_KEY',
  'OPENCODE',
  'OPENCODE_CONFIG_CONTENT',
  'QWEN_CODE',
  'COPILOT_AGENT_SESSION_ID',
  'COPILOT_HOME',
  'OPENAI_API_KEY',
  'BASH_ENV',
  'GITHUB_TOKEN',
  'AWS_SECRET_ACCESS_KEY',
  'ANTHROPIC_API_KEY',
  'SSH_AUTH_SOCK',
  'NODE_OPTIONS',
  'GIT_DIR',
  'GIT_INDEX_FILE',
  'GIT_AUTHOR_NAME',
  'ROPEWALK_HOME',
  'ROPEWALK_MARK',
])('keeps %s to ourselves', (name) => {
  expect(allowedEnvironment({ [name]: 'leak' }, {})).not.toHaveProperty(name)
})

it('gives a git that neither asks nor pushes, and a terminal that can do nothing', () => {
  const environment = allowedEnvironment(
    { TERM: 'xterm', GIT_ASKPASS: '/usr/bin/ask', GIT_SSH_COMMAND: 'ssh -i key' },
    {},
  )
  expect(environment).toMatchObject({
    TERM: 'dumb',
    GIT_TERMINAL_PROMPT: '0',
    GIT_SSH_COMMAND: 'false',
    GIT_ASKPASS: 'true',
  })
})

it('lets the caller add what it wants to give', () => {
  expect(allowedEnvironment({ CI: 'false' }, { CI: 'true', MY_KEY: 'mine' })).toMatchObject({
    CI: 'true',
    MY_KEY: 'mine',
  })
})

it.each(['PATH', 'TERM', 'EDITOR', 'GOFLAGS', 'JAVA_HOME', 'DATABASE_URL', 'MY_OWN', 'PWD', 'LC_ALL'])(
  'is the own one of the user: %s',
  (name) => expect(usersEnvironment({ [name]: 'as it is' }, {})).toEqual({ [name]: 'as it is' }),
)

it.each([
  ...['GITHUB_TOKEN', 'MY_SECRET', 'API_KEY', 'DB_PASSWORD', 'AWS_PROFILE', 'SSH_AUTH_SOCK', 'OPENAI_BASE_URL'],
  ...['CLAUDECODE', 'CODEX_HOME', 'GIT_DIR', 'GIT_AUTHOR_NAME', 'ROPEWALK_HOME', 'ROPEWALK_MARK', 'KUBECONFIG'],
])('keeps %s to ourselves', (name) => expect(usersEnvironment({ [name]: 'x' }, {})).toEqual({}))

it.each(['ghp_0123456789abcdefghijABCDEFGHIJ0123', 'postgres://me:pass@host/db', `sk-${'a1'.repeat(12)}`])(
  'keeps a value that looks like a secret, whatever its name: %s',
  (value) => expect(usersEnvironment({ INNOCENT: value }, {})).toEqual({}),
)

it('says nothing that the user does not say, but for what is given', () =>
  expect(usersEnvironment({ A: 'a' }, { PORT: '1' })).toEqual({ A: 'a', PORT: '1' }))
