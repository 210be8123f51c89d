import { spawn } from 'node:child_process'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import type { Signature, Signatures, SignatureWord } from '../../ports/proofs/signing.ts'

const namespace = 'ropewalk'
const remedy = 'name a key that is there in "signWith"; add one with a passphrase to your agent first (ssh-add)'

/** By the ssh-keygen program. */
export function sshSigning(): Signatures {
  return {
    problemWith: async (key) => {
      const made = await trySign(key, 'Can this key sign?')
      return 'problem' in made ? made.problem : null
    },
    sign: async (key, text) => {
      const made = await trySign(key, text)
      if ('problem' in made) throw new TerminalError(`the proof cannot be signed: ${made.problem}`, remedy)
      return made
    },
    verify: ({ text, signature, signersFile }) =>
      withSignatureFile(signature, (file) => verify({ text, file, signersFile })),
  }
}

async function trySign(key: string, text: string): Promise<Signature | { problem: string }> {
  const there = await access(key).then(
    () => true,
    () => false,
  )
  if (!there) return { problem: `there is no key ${key}` }
  const signed = await sshKeygen(['-Y', 'sign', '-q', '-f', key, '-n', namespace], text)
  const sig = signed.code === 0 ? blobOf(signed.stdout) : null
  if (sig === null) return { problem: whyNot(key, signed) }
  const printed = await sshKeygen(['-l', '-E', 'sha256', '-f', key], '')
  return { keyid: /SHA256:\S+/.exec(printed.stdout)?.[0] ?? '', sig }
}

/** It has no terminal to ask at, so a passphrase that is needed is one that is wrong. */
function whyNot(key: string, { stderr }: KeygenAnswer): string {
  if (/passphrase/i.test(stderr)) return `the key ${key} has a passphrase, and no agent holds it`
  return `${key}: ${stderr.trim().split('\n').at(-1) || 'ssh-keygen gave no signature'}`
}

async function withSignatureFile<T>({ sig }: Signature, use: (file: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'ropewalk-signature-'))
  try {
    const file = join(folder, 'sig')
    await writeFile(file, armoured(sig))
    return await use(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

interface Question {
  text: string
  file: string
  signersFile: string | null
}

async function verify({ text, file, signersFile }: Question): Promise<SignatureWord> {
  const checked = await sshKeygen(['-Y', 'check-novalidate', '-n', namespace, '-s', file], text)
  if (checked.code !== 0) return { status: 'bad', problem: lastWord(checked) }
  const key = /SHA256:\S+/.exec(checked.stdout)?.[0] ?? ''
  if (signersFile === null) return { status: 'unknown-key', key }
  const found = await sshKeygen(['-Y', 'find-principals', '-f', signersFile, '-s', file], '')
  for (const signer of found.code === 0 ? found.stdout.split('\n').filter(Boolean) : []) {
    const asked = ['-Y', 'verify', '-f', signersFile, '-I', signer, '-n', namespace, '-s', file]
    if ((await sshKeygen(asked, text)).code === 0) return { status: 'good', key, signer }
  }
  return { status: 'unknown-key', key }
}

const lastWord = ({ stderr, stdout }: KeygenAnswer): string =>
  `${stderr}\n${stdout}`.trim().split('\n').at(-1) || 'ssh-keygen does not accept it'

// An SSH signature as a file has a frame of text around its base64.
const head = '-----BEGIN SSH SIGNATURE-----'
const foot = '-----END SSH SIGNATURE-----'

function blobOf(text: string): string | null {
  const [start, end] = [text.indexOf(head), text.indexOf(foot)]
  return start === -1 || end < start ? null : text.slice(start + head.length, end).replace(/\s/g, '')
}

const armoured = (blob: string): string => `${[head, ...(blob.match(/.{1,70}/g) ?? []), foot].join('\n')}\n`

interface KeygenAnswer {
  code: number | null
  stdout: string
  stderr: string
}

const longestMs = 20_000

/** Without a terminal and without a window to ask in: what it needs to be told it does not get. */
function sshKeygen(args: string[], input: string): Promise<KeygenAnswer> {
  return new Promise((resolve) => {
    const answer: KeygenAnswer = { code: null, stdout: '', stderr: '' }
    const child = spawn('ssh-keygen', args, { detached: true, stdio: 'pipe', env: environment() })
    const timer = setTimeout(() => {
      answer.stderr += '\nssh-keygen did not answer in time'
      child.kill('SIGKILL')
    }, longestMs)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      answer.stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      answer.stderr += text
    })
    const end = (code: number | null, stderr = '') => {
      clearTimeout(timer)
      resolve({ ...answer, code, stderr: answer.stderr + stderr })
    }
    child.on('error', (error) => end(null, `ssh-keygen cannot be started: ${error.message}`))
    child.on('close', (code) => end(code))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}

function environment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'USER', 'LOGNAME', 'TMPDIR', 'SSH_AUTH_SOCK']
  const own = names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]!]]))
  return { ...Object.fromEntries(own), LC_ALL: 'C', SSH_ASKPASS_REQUIRE: 'never' }
}
