import { expect, it } from 'vitest'
import { usersEnvironment } from './environment.ts'

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
