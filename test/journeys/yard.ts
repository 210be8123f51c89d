// A user's repository, a home, and the built binary as a person starts it.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { fileBlobs } from '../../src/adapters/blobs-files/blobs.ts'
import { openSqliteLog } from '../../src/adapters/log-sqlite/log.ts'
import type { DeliveryEvent, EventType } from '../../src/delivery/events.ts'
import type { EventLog, Recorded } from '../../src/ports/event-log.ts'
import type { StatusView } from '../../src/views/status.ts'
import { git, makeUserRepository } from '../contract/user-repository.ts'
import { write } from '../empty-repository.ts'
import { binary, exits, type Running, type Said, start } from './binary.ts'
import { type Before, before, expectUntouched, processesOf } from './untouched.ts'

export interface Given {
  /** Lines of a shell script; the prompt has been read by then. */
  agent?: string
  /** Merged over `settings`; null means that there is no ropewalk.yaml. */
  config?: object | null
  files?: Record<string, string>
  branch?: string
}

/** A check is a search for one word: quick, and an agent can break it. */
const settings = {
  target: 'main',
  agents: { mine: { driver: 'command', command: ['./agent.sh'] } },
  checks: { test: { run: 'sh check.sh', parser: 'exit-code' } },
  // Agents and checks here tell by files in HOME what they were told; confined ones have journeys of their own.
  sandbox: 'none',
}

const files = {
  'README.md': '# Yard\n',
  'src/a.txt': 'alpha\n',
  'check.sh': 'if grep -rn BROKEN src; then exit 1; fi\n',
}

/** Keeps what it was told outside of the workspace. */
const opening = `#!/bin/sh
said="$HOME/said-$ROPEWALK_ROLE-$ROPEWALK_STORY-$ROPEWALK_ATTEMPT-$ROPEWALK_ROUND"
cat > "$said"
echo "$ROPEWALK_STORY" >> "$HOME/turns"
`

export class Yard {
  readonly repo: string
  /** The person's own home folder; agents find it as HOME. */
  readonly person: string
  readonly home: string
  readonly started: Running[] = []
  untouchedSince: Before

  constructor({
    agent = 'echo work > "src/$ROPEWALK_STORY.txt"',
    config = {},
    files: more = {},
    branch = 'main',
  }: Given = {}) {
    const configFile = config === null ? {} : { 'ropewalk.yaml': JSON.stringify({ ...settings, ...config }, null, 2) }
    const program = { 'agent.sh': `${opening}${agent}\n` }
    this.repo = makeUserRepository({ ...files, ...program, ...configFile, ...more }, branch)
    furnish(this.repo, branch)
    const folder = dirname(this.repo)
    this.person = join(folder, 'person')
    this.home = join(folder, 'home')
    mkdirSync(this.person)
    this.untouchedSince = before(this.repo, branch)
    yards.push(this)
  }

  env(extra: Record<string, string> = {}): Record<string, string> {
    const { PATH = '', LANG = 'C.UTF-8' } = process.env
    return { PATH, LANG, HOME: this.person, USER: 'ada', ROPEWALK_HOME: this.home, ...extra }
  }

  start(args: string[], how: { env?: Record<string, string>; cwd?: string; input?: string } = {}): Running {
    const { env = {}, cwd = this.repo, input = '' } = how
    return this.keep(start({ program: process.execPath, args: [binary, ...args], cwd, env: this.env(env), input }))
  }

  /** In a terminal of its own, where a human can be asked; it does not know its size, as happens in containers. */
  startInTerminal(args: string[]): Running {
    const line = [process.execPath, binary, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
    const env = this.env({ TERM: 'xterm', SHELL: '/bin/sh' })
    return this.keep(start({ program: 'script', args: ['-qefc', line, '/dev/null'], cwd: this.repo, env }))
  }

  private keep(running: Running): Running {
    this.started.push(running)
    return running
  }

  ropewalk(...args: string[]): Promise<Said> {
    return this.start(args).done
  }

  /** A delivery of these stories, by a plan file that is not in the repository. */
  runPlan(stories: object[], ...args: string[]): Promise<Said> {
    return this.ropewalk(...this.planArgs(stories, ...args))
  }

  planArgs(stories: object[], ...args: string[]): string[] {
    const plan = join(this.person, 'plan.yaml')
    writeFileSync(plan, JSON.stringify({ stories }))
    return ['run', 'Make it so', '--plan', plan, ...args]
  }

  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(exits(await this.ropewalk(...args, '--json'), 0).stdout) as T
  }

  status(): Promise<StatusView> {
    return this.json('status')
  }

  /** Of the delivery that the binary would take it for, if there are several. */
  async events(delivery?: string): Promise<Recorded[]> {
    const only = await this.withLog(async (log) => {
      const rows = (await log.deliveries(null)).filter((row) => row.delivery.startsWith(delivery ?? ''))
      return rows.length === 1 ? await log.written(rows[0]!.delivery) : null
    })
    if (only !== null) return only
    const { stdout } = exits(await this.ropewalk('export', ...(delivery === undefined ? [] : [delivery])), 0)
    return stdout
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('{"end":'))
      .map((line) => JSON.parse(line) as Recorded)
  }

  /** What is asked of the log itself needs no process; null before there is one. */
  async withLog<T>(ask: (log: EventLog) => Promise<T>): Promise<T | null> {
    if (!existsSync(join(this.home, 'log.sqlite'))) return null
    const log = await openSqliteLog(this.home, fileBlobs(this.home))
    return await ask(log).finally(() => log.close())
  }

  async eventsOf<Type extends EventType>(type: Type): Promise<Extract<DeliveryEvent, { type: Type }>[]> {
    const all = (await this.events()).map(({ event }) => event)
    return all.filter((event) => event.type === type) as Extract<DeliveryEvent, { type: Type }>[]
  }

  /** The prompt of one turn. */
  said(role: string, story: string, turn: string): string {
    return readFileSync(join(this.person, `said-${role}-${story}-${turn}`), 'utf8')
  }

  /** What the user does to their own repository is theirs to do. */
  async userActs(act: (repo: string) => unknown): Promise<void> {
    expectUntouched(this.repo, this.untouchedSince)
    await act(this.repo)
    this.untouchedSince = before(this.repo, this.untouchedSince.branch)
  }

  files(commit = 'main'): string[] {
    return git(this.repo, 'ls-tree', '-r', '--name-only', commit).split('\n')
  }
}

/** What a user may have in a repository, and must find there again: another branch, a tag, a stash, hooks. */
function furnish(repo: string, branch: string): void {
  for (const ref of ['heads/other', 'tags/begun'])
    cpSync(join(repo, '.git/refs/heads', branch), join(repo, '.git/refs', ref))
  write(repo, { 'README.md': '# Not finished\n' })
  git(repo, 'stash', '-q')
  for (const hook of ['post-checkout', 'post-merge', 'post-commit', 'post-rewrite'])
    writeFileSync(join(repo, '.git/hooks', hook), hookThatTells, { mode: 0o755 })
}

const hookThatTells = '#!/bin/sh\n: > "$(dirname "$0")/../a-hook-ran"\n'

export const story = (id: string, more: object = {}): object => ({ id, title: `Story ${id}`, ...more })

const yards: Yard[] = []

/** After each test: nothing of it is alive, and what is the user's is untouched. */
export function leaveYards(): void {
  for (const { repo, home, started, untouchedSince } of yards.splice(0)) {
    const alive = processesOf(home)
    // A failed test must not leave anything running either.
    for (const { child } of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    for (const { pid } of alive) end(pid)
    expect(alive).toEqual([])
    expectUntouched(repo, untouchedSince)
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself meanwhile.
  }
}
