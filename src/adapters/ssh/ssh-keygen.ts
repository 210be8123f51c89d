import { spawn } from 'node:child_process'

export interface KeygenAnswer {
  code: number | null
  stdout: string
  stderr: string
}

const longestMs = 20_000

/** Without a terminal and without a window to ask in: what it needs to be told it does not get. */
export function sshKeygen(args: string[], input: string): Promise<KeygenAnswer> {
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
