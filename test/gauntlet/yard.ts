// A repository, a home, an agent and the built binary: what one case happens in.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { beginRepository, write } from '../empty-repository.ts'
import { binary } from '../journeys/binary.ts'
import type { Case, Run, Settings, Story } from './case.ts'

export interface Yard {
  folder: string
  /** The user's repository. */
  repo: string
  base: string
  /** The branch that the work lands on. */
  target: string
  stories: string[]
  git(...args: string[]): string
  /** Runs the binary to its end. */
  ropewalk(...args: string[]): Promise<Run>
  deliver(): Promise<Run>
  /** Starts the delivery and does something once this is told by it, or there is this file in the yard's folder. */
  deliverAnd(sign: RegExp | string, act: (running: { stop(): void }) => void): Promise<Run>
  /** Processes that have to do with this yard, besides its binary. */
  alive(): string[]
  remove(): void
}

export function openYard(one: Case): Yard {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk gauntlet é '))
  const repo = join(folder, 'repo')
  const stories = one.stories ?? [{ id: 'multiply' }]
  layOut(folder, repo, { one, stories })
  const git = (...args: string[]) => gitIn(folder, repo, args)
  one.world?.({ folder, repo, git })
  const target = one.settings?.target ?? one.branch ?? 'main'
  const base = git('for-each-ref', '--format=%(objectname)', `refs/heads/${target}`)
  const call = (...args: string[]) => start(folder, join(repo, one.startedIn ?? ''), args)
  const deliver = () => call('run', 'Some arithmetic', '--plan', join(folder, 'plan.yaml'), '--unattended')
  return {
    folder,
    repo,
    base,
    target,
    stories: stories.map(({ id }) => id),
    git,
    ropewalk: (...args) => call(...args).ended,
    deliver: () => deliver().ended,
    async deliverAnd(sign, act) {
      const running = deliver()
      const seen = () => (typeof sign === 'string' ? existsSync(join(folder, sign)) : sign.test(running.told()))
      await until(seen, running.ended)
      act({ stop: () => running.child.kill('SIGTERM') })
      return await running.ended
    },
    alive: () => aliveIn(folder),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
}

function layOut(folder: string, repo: string, { one, stories }: { one: Case; stories: Story[] }): void {
  mkdirSync(join(folder, 'user'))
  const files = { ...startingFiles, 'ropewalk.yaml': settingsOf(folder, one), ...one.files }
  beginRepository(repo, one.branch)
  write(repo, Object.fromEntries(Object.entries(files).filter(([, text]) => text !== null)) as Record<string, string>)
  const plan = { stories: stories.map((story) => ({ title: `Do ${story.id}`, description: 'As told.', ...story })) }
  write(folder, {
    'plan.yaml': stringify(plan),
    'agent.sh': `${preface(folder, repo)}\n${one.agent}\n`,
    'acp.mjs': acp,
  })
  gitIn(folder, repo, ['add', '-A'])
  gitIn(folder, repo, ['commit', '-q', '-m', 'Begin'])
}

const startingFiles: Record<string, string> = {
  'package.json': `${JSON.stringify({ name: 'shop', type: 'module', scripts: { test: 'node --test', lint: 'node lint.js' } }, null, 2)}\n`,
  'src/sum.js': 'export const sum = (a, b) => a + b\n',
  'test/sum.test.js': `import assert from 'node:assert/strict'
import test from 'node:test'
import { sum } from '../src/sum.js'

test('adds two numbers', () => {
  assert.equal(sum(1, 2), 3)
  assert.equal(sum(-1, 1), 0)
})

test('adds fractions', () => {
  assert.equal(sum(0.5, 0.25), 0.75)
})
`,
}

function settingsOf(folder: string, { settings = {} }: Case): string {
  const { check = 'node --test', checkTimeoutMs = 60_000, parser = 'auto', setup, limits } = settings
  const { timeoutMs = 60_000, idleTimeoutMs = 60_000, land = 'end' } = settings
  return stringify({
    gates: 'auto',
    ...(settings.target === undefined ? {} : { target: settings.target }),
    land,
    agents: { rogue: { ...driverOf(folder, settings), timeoutMs, idleTimeoutMs } },
    // Agents here record in the yard what they did, and are judged by what is proven; confined ones are cases of their own.
    sandbox: settings.sandbox ?? (settings.confined === true ? 'bwrap' : 'none'),
    ...(check === null
      ? {}
      : { checks: { test: { run: check, timeoutMs: checkTimeoutMs, parser }, ...settings.checks } }),
    ...(setup === undefined ? {} : { setup }),
    protect: settings.protect ?? [],
    mutation: settings.mutation ?? 'block',
    strategy: settings.strategy ?? 'after',
    acceptance: settings.acceptance === true,
    review: settings.review ?? { reviewers: [] },
    ...(settings.review === undefined ? {} : { roles: { coder: 'rogue', triager: 'rogue' } }),
    limits: { roundsPerAttempt: 1, attemptsPerStory: 1, crashesPerStory: 0, flakyReruns: 1, checks: 1, ...limits },
  })
}

function driverOf(folder: string, { confined }: Settings): object {
  const script = join(folder, 'agent.sh')
  if (confined !== true) return { driver: 'command', command: ['sh', script] }
  return { driver: 'acp', command: [process.execPath, join(folder, 'acp.mjs'), script] }
}

/** The least that speaks the Agent Client Protocol: it runs the script once it is asked for anything. */
const acp = `import { spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
const answers = {
  initialize: () => ({ protocolVersion: 1, agentCapabilities: {} }),
  'session/new': () => ({ sessionId: 'one' }),
  'session/prompt': () => {
    spawnSync('sh', [process.argv[2]], { stdio: 'ignore' })
    return { stopReason: 'end_turn', usage: { inputTokens: 3, outputTokens: 2 } }
  },
}
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.() ?? {} }))
})
`

/** What every agent here knows: where things are, and how the story is done honestly. */
const preface = (folder: string, repo: string) => `
PROMPT="$(cat)"
YARD='${folder}'
USER_REPO='${repo}'
work() {
  mkdir -p src test
  echo 'export const multiply = (a, b) => a * b' > src/multiply.js
  cat > test/multiply.test.js <<'TEST'
import assert from 'node:assert/strict'
import test from 'node:test'
import { multiply } from '../src/multiply.js'

test('multiplies two numbers', () => {
  assert.equal(multiply(2, 3), 6)
})
TEST
}`

function gitIn(folder: string, repo: string, args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: join(folder, 'user'), GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C' }
  return execFileSync('git', args, { cwd: repo, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd()
}

interface Running {
  child: ChildProcess
  ended: Promise<Run>
  told(): string
}

function start(folder: string, cwd: string, args: string[]): Running {
  const child = spawn(process.execPath, [binary, ...args], {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: join(folder, 'user'),
      ROPEWALK_HOME: join(folder, 'home'),
      TERM: 'xterm',
      GIT_CONFIG_NOSYSTEM: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const ended = new Promise<Run>((done) => child.on('close', (code) => done({ code, output })))
  return { child, ended, told: () => output }
}

async function until(seen: () => boolean, ended: Promise<unknown>): Promise<void> {
  let over = false
  void ended.then(() => (over = true))
  while (!over && !seen()) await new Promise((done) => setTimeout(done, 20))
}

/** By what they were started with, or where they are: nothing of a case may outlive it. */
function aliveIn(folder: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const command = textOf(`/proc/${pid}/cmdline`)
      const told = `${command} ${textOf(`/proc/${pid}/environ`)} ${linkOf(`/proc/${pid}/cwd`)}`
      return told.includes(folder) ? [`${pid} ${command.replaceAll('\0', ' ')}`] : []
    })
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
