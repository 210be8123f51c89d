import { spawnSync } from 'node:child_process'

/** Whether this machine has what a command begins with, and that works: a version manager without its home does not. */
export function isHere(run: string): boolean {
  const [program = ''] = run.split(' ')
  const asked = run.includes('pytest')
    ? 'python3 -m pytest --version'
    : program === 'go'
      ? 'go version'
      : `${program} --version`
  return (
    !['python3', 'go', 'cargo'].includes(program) || spawnSync('sh', ['-c', asked], { stdio: 'ignore' }).status === 0
  )
}
