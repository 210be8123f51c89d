import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const binary = resolve(process.env.ROPEWALK_BINARY ?? 'dist/main.js')

export interface Yard {
  stories: number
  chained: boolean
  agents: number
  agent: string[]
  /** What the settings say besides. */
  settings?: (folder: string) => object
}

/** A fresh small repository with a plan of so many stories, in a folder that is removed afterwards. */
export async function inYard<T>(plan: Yard, act: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-bench-'))
  try {
    makeRepository(join(folder, 'repository'), plan)
    return await act(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function makeRepository(path: string, { stories, chained, agents, agent, settings }: Yard): void {
  mkdirSync(join(path, 'src'), { recursive: true })
  for (let n = 0; n < 20; n++) writeFileSync(join(path, 'src', `file-${n}.js`), `export const n = ${n}\n`)
  const config = {
    target: 'main',
    agents: { mine: { driver: 'command', command: agent } },
    roles: { coder: 'mine' },
    checks: { test: { run: 'true', parser: 'exit-code' } },
    limits: { agents },
    ...settings?.(join(path, '..')),
  }
  writeFileSync(join(path, 'ropewalk.yaml'), JSON.stringify(config))
  const list = Array.from({ length: stories }, (_, n) => ({
    id: `s${n}`,
    title: `Story ${n}`,
    dependsOn: chained && n > 0 ? [`s${n - 1}`] : [],
  }))
  writeFileSync(join(path, '..', 'plan.json'), JSON.stringify({ stories: list }))
  run('git', ['init', '-q', '-b', 'main'], path)
  run('git', ['add', '-A'], path)
  run('git', ['-c', 'user.name=b', '-c', 'user.email=b@localhost', 'commit', '-q', '-m', 'base'], path)
  run('git', ['config', 'user.name', 'b'], path)
  run('git', ['config', 'user.email', 'b@localhost'], path)
}

/** Delivers the plan with the built binary. */
export const deliver = (folder: string): Promise<void> =>
  ropewalk(folder, ['run', 'bench', '--plan', join(folder, 'plan.json'), '--gates', 'auto', '--unattended'])

/** The built binary in the yard's repository; other exit codes than these are failures. */
export const ropewalk = (folder: string, args: string[], codes: number[] = [0]): Promise<void> =>
  start(process.execPath, [binary, ...args], {
    cwd: join(folder, 'repository'),
    env: { ...process.env, ROPEWALK_HOME: join(folder, 'home') },
    codes,
  })

/** The whole log of what was delivered there. */
export function exported<Entry>(folder: string): Entry[] {
  const { stdout } = spawnSync(process.execPath, [binary, 'export'], {
    cwd: join(folder, 'repository'),
    env: { ...process.env, ROPEWALK_HOME: join(folder, 'home') },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Entry]))
}

export const script = (folder: string, text: string): Promise<void> =>
  start('bash', ['-euc', text], { cwd: folder, env: process.env })

function start(
  program: string,
  args: string[],
  { cwd, env, codes = [0] }: { cwd: string; env: NodeJS.ProcessEnv; codes?: number[] },
): Promise<void> {
  return new Promise((done, failed) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-2_000)
    })
    child.on('exit', (code) =>
      codes.includes(code ?? -1) ? done() : failed(new Error(`${program} exited with ${code}: ${said}`)),
    )
  })
}

function run(program: string, args: string[], cwd: string): void {
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
