import { expect, it } from 'vitest'
import { openRedactor, redactor, secretsIn } from './redaction.ts'

// Put together here, so that no scanner takes this file for a leak.
const of = (...parts: string[]) => parts.join('')
const jwt = of('eyJ', 'hbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxMjM0In0', '.', 'c2lnbmF0dXJl')

it.each([
  of('sk-', 'ant-api03-abcdefghijklmnop'),
  of('sk-', 'proj-abc_DEF-ghijklmnop'),
  of('sk', '_live_', 'abcdefghijklmnop'),
  of('AIz', 'a', 'SyA1234567890-abcdefghijklmnopqrstu_v'),
  of('hf', '_', 'abcdefghijklmnopqrstuvwxyz'),
  of('gsk', '_', 'abcdefghijklmnopqrstuvwxyz'),
  of('xai', '-', 'abcdefghijklmnopqrstuvwxyz'),
  of('ya29', '.', 'a0AfB_byC-abcdefghijkl'),
  of('gho', '_', 'abcdefghijklmnopqrstuvwxyz0123456789'),
  of('ghp', '_', 'abcdefghijklmnopqrstuvwxyz0123456789'),
  of('github', '_pat_', '11ABCDEFG0abcdefghijkl_mnop'),
  of('AKI', 'A', 'IOSFODNN7EXAMPLE'),
  of('xox', 'b-', '1234567890-abcdef'),
  jwt,
  of('Bearer ', 'abcdefghijklmnop.qrstuv=='),
  of('-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIE\nabc\n-----END RSA ', 'PRIVATE KEY-----'),
  of('-----BEGIN ', 'PRIVATE KEY-----\nMIIE, and then the end'),
])('takes out what looks like a secret: %s', (secret) => {
  expect(redactor([])(`before ${secret}`)).toBe('before [redacted]')
})

it.each([
  [of('Authorization: ', 'Bearer ', 'abcdefghijklmnop.qrstuv=='), 'Authorization: [redacted]'],
  [of('authorization: ', 'Basic ', 'dXNlcjpwYXNzd29yZA=='), 'authorization: Basic [redacted]'],
  [of('{"Authorization":"', 'token ', 'abcdef0123456789"}'), '{"Authorization":"token [redacted]"}'],
  [of('"{\\"authorization\\": \\"', 'abcdef0123456789\\"}"'), '"{\\"authorization\\": \\"[redacted]\\"}"'],
  [of('x-api-key: ', 'abcdef0123456789'), 'x-api-key: [redacted]'],
  [of('"x-goog-api-key": "', 'abcdef0123456789"'), '"x-goog-api-key": "[redacted]"'],
  [of('clone https://user:', 'pass%20word@example.com/a.git'), 'clone https://[redacted]@example.com/a.git'],
  [of('postgres://:', 'hunter2@db:5432/x'), 'postgres://[redacted]@db:5432/x'],
])('leaves what stands around it: %s', (text, redacted) => {
  expect(redactor([])(text)).toBe(redacted)
})

it.each([
  'the risk-assessment-of-the-whole-thing and the task-list-of-the-whole-team',
  'a sk-short one',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b',
  'Bearer of bad news',
  'Authorization: none',
  'https://example.com:8080/a@b and git@example.com:a/b.git and http://localhost:3000',
  'see https://user@example.com/path:with@signs',
  '-----BEGIN PUBLIC KEY-----',
])('leaves what does not: %s', (text) => {
  expect(redactor([])(text)).toBe(text)
})

it('takes out every known secret, the longer one first, whatever characters it has', () => {
  const redact = redactor(['hunter2.*+', 'hunter2.*+[longer]', 'short'])
  expect(redact('a hunter2.*+[longer] b hunter2.*+ c hunter2xxx d short')).toBe(
    'a [redacted] b [redacted] c hunter2xxx d short',
  )
})

it('knows which variables are secret by their names', () => {
  const secrets = secretsIn({
    GITHUB_TOKEN: 'value-of-token',
    ANTHROPIC_API_KEY: 'value-of-key',
    DB_PASSWORD: 'value-of-password',
    SHORT_TOKEN: 'abc',
    PATH: '/usr/bin:/bin',
    PWD: '/home/somebody',
    KEYBOARD: 'german-layout',
    UNSET_TOKEN: undefined,
  })
  expect(secrets).toEqual(['value-of-token', 'value-of-key', 'value-of-password'])
})

it('does not take long over text made to be slow', () => {
  const redact = redactor([])
  for (const text of [
    'eyJabcdefgh-',
    '-----BEGIN ',
    'Bearer   ',
    'sk-abc ',
    'eyJabcdefgh.',
    'a://b:',
    'https',
    'Authorization: ',
    'x-api-key',
  ])
    expect(redact(text.repeat(50_000)).length).toBeGreaterThan(0)
})

it('takes out what a file with settings calls secret, in whatever way it is written', () => {
  const { redact, learn } = openRedactor({ MY_TOKEN: 'token-of-the-environment' })
  const text = 'a1-value-one b2-value-two c3-value-three d4-value-four plain-value token-of-the-environment'
  expect(redact(text)).toContain('a1-value-one')
  learn('export API_KEY=a1-value-one\nPORT=plain-value\n')
  learn('database:\n  password: "b2-value-two"\n')
  learn(`{\n  "clientSecret": "c3-value-three",\n  'auth_token' = 'd4-value-four'\n}`)
  const hidden = Array.from({ length: 4 }, () => '[redacted]').join(' ')
  expect(redact(text)).toBe(`${hidden} plain-value [redacted]`)
})
