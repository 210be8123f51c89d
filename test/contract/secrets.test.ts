import { describe, expect, it } from 'vitest'
import { scanSecrets } from '../../src/adapters/secrets-secretlint/scan.ts'
import { secretFindings } from '../../src/proof/inspection/secrets.ts'
import { changed } from '../samples/change.ts'

// Put together, so that no scanner takes this file for a leak.
const made = {
  aws: `AKIA${'QYLPMN5HHHFPZAM2'}`,
  stripe: `sk_${'live'}_51H8kqLzR7wXc9TnVb2MpYsD`,
  google: `AIza${'SyB7uRk2vQ9xLm4TnWc8ZpYdE6hGfJ1sAo3'}`,
  openai: `sk-${'proj'}-T7uRk2vQ9xLm4TnWc8ZpYdE6hGfJ1sAo3bNq5`,
  github: `ghp_${'R7uk2vQ9xLm4TnWc8ZpYdE6hGfJ1sAo3bNq5'}`,
  jwt: `eyJ${'hbGciOiJIUzI1NiJ9'}.eyJ${'zdWIiOiI5OTE3MiJ9'}.${'dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1gFWFOEjXk'}`,
  key: `-----BEGIN ${'RSA'} PRIVATE KEY-----\\nMIIEowIBAAKCAQEA7uRk2vQ9xLm4TnWc8ZpYdE6hGfJ1`,
  block: `-----BEGIN ${'OPENSSH'} PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ`,
  url: `postgres://app:${'kX9vQ2mT7w'}@db.internal/app`,
  anthropic: `sk-ant-${'api03-R7uk2vQ9xLm4TnWc8ZpYdE6hGfJ1sAo3bNq5R7uk2vQ9xLm4TnWc8ZpYdE6hGfJ1sAo3bNq5R7uk2vQ9xLm4TnW-AAAAAAAA'}`,
  named: 'const apiKey = "9fK2mQx7Lw4ZtBv8RnYc3HdJ"',
}

describe('a secret in what was added', () => {
  it.each(Object.entries(made))('is found (%s), and its value is told nowhere', async (_, secret) => {
    const findings = await secretFindings([changed('src/a.js', 'let a\n', `let a\nlet b = "${secret}"\n`)], scanSecrets)
    expect(findings).toMatchObject([{ rule: 'secret', severity: 'blocking', file: 'src/a.js', line: 2 }])
    expect(JSON.stringify(findings)).not.toContain(secret.slice(-12))
  })
  it('is found in its own file and line among many, which are looked at in one go', async () => {
    const texts: string[] = []
    const counted = (text: string) => scanSecrets(texts[texts.push(text) - 1]!)
    const lines = (n: number) => (n === 7 || n === 300 ? `let a\nlet key = "${made.github}"\n` : `let a = ${n}\n`)
    const changes = Array.from({ length: 400 }, (_, n) => changed(`src/a${n}.js`, '', lines(n)))
    const findings = await secretFindings(changes, counted)
    expect(findings).toMatchObject([
      { file: 'src/a7.js', line: 2 },
      { file: 'src/a300.js', line: 2 },
    ])
    expect(texts).toHaveLength(1)
  })
  it('is not looked for where nothing was added', async () => {
    const refused = () => Promise.reject(new Error('nobody asked'))
    expect(await secretFindings([changed('src/a.js', 'let a\n', '')], refused)).toEqual([])
  })
  it('is not the change of who only moved it', async () => {
    const before = `const key = "${made.aws}"\nlet a\n`
    expect(
      await secretFindings([changed('a.js', before, `let a\nconst key = "${made.aws}"\nlet b\n`)], scanSecrets),
    ).toEqual([])
  })
  it.each(Object.entries(made))('is not the change of who rewrote or moved its line (%s)', async (_, secret) => {
    const moved = [changed('a.js', `a = u"${secret}"\n`, ''), changed('b.js', '', `let a = "${secret}"\n`)]
    expect(await secretFindings(moved, scanSecrets)).toEqual([])
  })
  it.each(Object.entries(made))('is found beside another of its kind (%s)', async (_, secret) => {
    const other = secret.replace(/\w{4}(?=\W*$|@)/, 'Zk8q')
    const both = changed('a.js', `a = "${other}"\n`, `a = "${other}"\nlet b = "${secret}"\n`)
    expect(await secretFindings([both], scanSecrets)).toHaveLength(1)
  })
  it.each([
    ['the documented example', 'AWS_KEY=AKIAIOSFODNN7EXAMPLE'],
    ['a placeholder', 'password: "<your-password-here>"'],
    ['the environment', 'const token = `' + '$' + '{process.env.TOKEN_WITH_A_LONG_NAME_1}`'],
    ['a word', 'const password = "correct-horse-battery"'],
    ['a made up one', 'token: "test-token-1234567890abcdef"'],
    ['a digest', 'const etag = "9fK2mQx7Lw4ZtBv8RnYc3HdJ"'],
    ['a commit', 'at 3f786850e387550fdab836ed7e6dc881de23001b'],
    ['a type', 'password: "string"'],
    ['an address without one', 'https://user@example.org/path'],
    ['what opens a database of this machine', 'DB_URL=postgres://app:s3cretly@localhost:5432/app'],
    ['what opens a service beside this one', 'DB_URL: "postgres://postgres:postgres@db:5432/app"'],
    ['a word for a service beside this one', 'DB_URL: mysql://root:rootpassword@mysql/app'],
    ['the first line of a key, in code that reads keys', `if (text.startsWith("-----BEGIN PRIVATE KEY-----")) a()`],
    ['the address of tokens', "token: 'https://login.acme.com/common/oauth2/v2.0/token',"],
    ['the path of a key', "privateKey: './certs/server-key-2048.pem',"],
    ['the key of a text', "password: 'auth.form.password.minLength8.hint',"],
    ['the name of a secret', "secret: 'projects/123456/secrets/stripe-key/versions/latest',"],
    ['the class of an element', '.sk-folding-cube-large-container-wrapper-2 {}'],
    [
      'a token that says that it is made up',
      `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ${'zdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIiwiaWF0IjoxNTE2MjM5MDIyfQ'}.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c`,
    ],
  ])('is not %s', async (_, line) => {
    expect(await secretFindings([changed('src/a.js', '', `${line}\n`)], scanSecrets)).toEqual([])
  })
  it('is not looked for endlessly, whatever stands in a line', async () => {
    const lines = ['a_', 'password', 'eyJa.', 'sk-', 'aws secret ', 'x://a:', '"', 'token="'].map((part) =>
      part.repeat(5_000 / part.length),
    )
    expect(await secretFindings([changed('src/a.js', '', lines.join('\n'))], scanSecrets)).toEqual([])
  })
  it('is not looked for in lock files', async () => {
    const text = '"integrity": "sha512-9fK2mQx7Lw4ZtBv8RnYc3HdJ9fK2mQx7Lw4ZtBv8RnYc3HdJ=="\n'
    expect(await secretFindings([changed('package-lock.json', '', text)], scanSecrets)).toEqual([])
  })
})
