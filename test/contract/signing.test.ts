import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sshSigning } from '../../src/adapters/ssh/signing.ts'
import { temporaryFolder } from './user-repository.ts'

const signing = sshSigning()

function makeKey(type: string, passphrase = ''): string {
  const file = join(temporaryFolder(), 'key')
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-C', 'ada', '-f', file])
  return file
}

function signersOf(key: string, how = ''): string {
  const file = `${key}.signers`
  writeFileSync(file, `ada@example.org ${how} ${readFileSync(`${key}.pub`, 'utf8')}`)
  return file
}

describe('signing by ssh-keygen', () => {
  it.each(['ed25519', 'rsa', 'ecdsa'])('with an %s key is believed when the key is known', async (type) => {
    const key = makeKey(type)
    expect(await signing.problemWith(key)).toBeNull()
    const signature = await signing.sign(key, 'é: what was said\n')
    expect(signature).toMatchObject({
      keyid: expect.stringMatching(/^SHA256:/),
      sig: expect.stringMatching(/^[\w+/=]+$/),
    })
    const ask = (text: string, signersFile: string | null) => signing.verify({ text, signature, signersFile })
    const good = { status: 'good', key: signature.keyid, signer: 'ada@example.org' }
    expect(await ask('é: what was said\n', signersOf(key))).toEqual(good)
    expect(await ask('é: what was said\n', signersOf(key, 'namespaces="ropewalk"'))).toEqual(good)
    const unknown = { status: 'unknown-key', key: signature.keyid }
    expect(await ask('é: what was said\n', null)).toEqual(unknown)
    expect(await ask('é: what was said\n', signersOf(key, 'namespaces="git"'))).toEqual(unknown)
    expect(await ask('é: what was said\n', signersOf(makeKey('ed25519')))).toEqual(unknown)
    expect(await ask('é: what was not said\n', signersOf(key))).toMatchObject({ status: 'bad' })
  })

  it('takes what is no signature for a bad one', async () => {
    const signature = { keyid: 'SHA256:a', sig: 'AAAA' }
    expect(await signing.verify({ text: 'said', signature, signersFile: null })).toMatchObject({ status: 'bad' })
  })

  it('never asks: a locked or missing key is a problem at once', async () => {
    const locked = makeKey('ed25519', 'secret')
    expect(await signing.problemWith(locked)).toMatch(/has a passphrase, and no agent holds it/)
    expect(await signing.problemWith(join(temporaryFolder(), 'nobody'))).toMatch(/there is no key/)
    const text = join(temporaryFolder(), 'text')
    writeFileSync(text, 'no key')
    expect(await signing.problemWith(text)).not.toBeNull()
    await expect(signing.sign(locked, 'said')).rejects.toMatchObject({ name: 'TerminalError' })
  })

  it('lets an agent that holds the key sign for it', async () => {
    const key = makeKey('ed25519', 'secret')
    const agent = execFileSync('ssh-agent', ['-s'], { encoding: 'utf8' })
    const socket = /SSH_AUTH_SOCK=([^;]+)/.exec(agent)![1]!
    const pid = Number(/SSH_AGENT_PID=(\d+)/.exec(agent)![1])
    const before = process.env.SSH_AUTH_SOCK
    try {
      const ask = join(temporaryFolder(), 'ask')
      writeFileSync(ask, '#!/bin/sh\necho secret\n', { mode: 0o755 })
      const env = { ...process.env, SSH_AUTH_SOCK: socket, SSH_ASKPASS: ask, SSH_ASKPASS_REQUIRE: 'force' }
      execFileSync('ssh-add', ['-q', key], { env, stdio: 'pipe' })
      process.env.SSH_AUTH_SOCK = socket
      expect(await signing.problemWith(key)).toBeNull()
    } finally {
      if (before === undefined) delete process.env.SSH_AUTH_SOCK
      else process.env.SSH_AUTH_SOCK = before
      process.kill(pid)
    }
  })
})
