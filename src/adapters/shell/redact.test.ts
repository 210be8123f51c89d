import { expect, it } from 'vitest'
import { redactor, secretsIn } from './redact.ts'

// Put together here, so that no scanner takes this file for a leak.
const of = (...parts: string[]) => parts.join('')
const jwt = of('eyJ', 'hbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxMjM0In0', '.', 'c2lnbmF0dXJl')

it.each([
  of('sk-', 'ant-api03-abcdefghijklmnop'),
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
  'the risk-assessment-of-the-whole-thing and the task-list-of-the-whole-team',
  'a sk-short one',
  'commit 3f786850e387550fdab836ed7e6dc881de23001b',
  'Bearer of bad news',
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
  for (const text of ['eyJabcdefgh-', '-----BEGIN ', 'Bearer   ', 'sk-abc ', 'eyJabcdefgh.'])
    expect(redact(text.repeat(50_000)).length).toBeGreaterThan(0)
})
