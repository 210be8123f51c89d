import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { builtinAgent } from '../src/adapters/agents/cli/builtin.ts'
import type { CliAgent } from '../src/adapters/agents/cli/cli-agent.ts'
import { cliDriver } from '../src/adapters/agents/cli/driver.ts'
import { claude } from '../src/adapters/agents/cli/products/claude.ts'
import { allowedEnvironment } from '../src/adapters/shell/environment.ts'
import { openShell } from '../src/adapters/shell/shell.ts'
import type { AgentEvent, AgentTurn } from '../src/ports/agent-driver.ts'
import { openFakeModel } from '../test/contract/agents/fake-model/server.ts'
import { type Figure, interleaved, median, ms, timed } from './figure.ts'
import { deliver, exported, inYard } from './yard.ts'

const program = resolve('.cache/agents/bin/claude')

/** What a driver adds to the bare program on the same turn. The real one must be installed: npm run test:agents. */
export async function benchAgents(): Promise<Figure[]> {
  const fake = await openFakeModel()
  // Not under the temporary folder, where some agents will not keep their home.
  const folder = mkdtempSync(join(homedir(), '.ropewalk-bench-'))
  const env = { ...process.env, ANTHROPIC_BASE_URL: fake.url, ANTHROPIC_API_KEY: 'fake-key' }
  const builtin = { api: { type: 'anthropic', url: fake.url, key: 'ANTHROPIC_API_KEY' }, environment: [] }
  try {
    const figures = [
      await overhead({ agent: builtinAgent(resolve('dist/agent-builtin.js')), options: builtin, folder, env }),
    ]
    const installed = { command: [program], args: [], environment: [], home: 'own' }
    figures.push(await handover())
    if (existsSync(program)) figures.push(await overhead({ agent: claude, options: installed, folder, env }))
    return figures
  } finally {
    await fake.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** From the last act of an agent to the start of the story's next step, in the log's own time. */
async function handover(): Promise<Figure> {
  const agent = ['sh', '-c', 'echo x > "$ROPEWALK_STORY.txt"; date +%s%3N >> "$ROPEWALK_STORY.txt"']
  const gaps = await inYard({ stories: 10, chained: true, agents: 1, agent }, async (folder) => {
    await deliver(folder)
    const repository = join(folder, 'repository')
    const started = startsIn(folder)
    return started.map(({ story, at }) => {
      const written = spawnSync('git', ['show', `main:${story}.txt`], { cwd: repository, encoding: 'utf8' }).stdout
      return at - Number(written.trim().split('\n').at(-1))
    })
  })
  const gap = median(gaps)
  return {
    name: 'from the end of an agent to the next step of its story (median of 10 stories)',
    ours: ms(gap),
    bare: '',
    ratio: '',
    promised: 'within 500 ms',
    kept: gap <= 500,
  }
}

/** When each story was first judged. */
function startsIn(folder: string): { story: string; at: number }[] {
  const entries = exported<{ at: number; event: { type: string; step: { verb: string; story: string } } }>(folder)
  const judged = entries.filter(({ event }) => event.type === 'StepStarted' && event.step.verb === 'Judge')
  const first = new Map(judged.reverse().map(({ at, event }) => [event.step.story, at]))
  return [...first].map(([story, at]) => ({ story, at }))
}

interface Subject {
  agent: CliAgent
  options: Record<string, unknown>
  folder: string
  env: Record<string, string | undefined>
}

async function overhead({ agent, options, folder, env }: Subject): Promise<Figure> {
  let started: string[] = []
  let environment: Record<string, string> = {}
  const driver = cliDriver(agent, {
    shell: openShell(),
    environment: (extra) => {
      environment = allowedEnvironment(env, extra)
      return environment
    },
    env,
    homes: join(folder, 'homes'),
  })
  const hear = async (event: AgentEvent): Promise<void> => {
    if (event.type === 'started') started = event.command
  }
  const driven = async () => {
    const result = await driver.run(turnIn(folder, options, hear))
    if (result.status !== 'finished') throw new Error(`${agent.name}: ${result.error?.message}`)
  }
  await driven()
  const found = await interleaved({
    ours: () => timed(driven),
    bare: () => timed(() => bare(started, environment, folder)),
  })
  const more = found.ours! - found.bare!
  return {
    name: `one turn of ${agent.name} through its driver against the bare program`,
    ours: ms(found.ours!),
    bare: ms(found.bare!),
    ratio: `${more < 0 ? '−' : '+'}${Math.abs(more).toFixed(0)} ms`,
    promised: 'at most 150 ms more',
    kept: more <= 150,
  }
}

const prompt = 'SCENARIO:hello'

function turnIn(folder: string, options: Record<string, unknown>, onEvent: AgentTurn['onEvent']): AgentTurn {
  const id = randomUUID()
  const workspace = join(folder, 'workspace')
  for (const name of ['workspace', 'results', 'spools']) mkdirSync(join(folder, name), { recursive: true })
  return {
    ...{ agent: 'bench', role: 'coder', options, model: 'claude-sonnet-4-5', prompt, workspace, onEvent },
    ...{ session: null, openAs: id, totals: null, delivery: 'bench', story: 'one', attempt: 1, round: 1, base: '' },
    resultFile: join(folder, 'results', `${id}.json`),
    environment: {},
    transcript: join(folder, 'spools', id),
    mark: `bench:${id}`,
    timeoutMs: 60_000,
    idleTimeoutMs: 60_000,
    modelTurns: null,
    confine: null,
    submit: null,
    signal: new AbortController().signal,
    onPermission: () => 'deny',
  }
}

/** The same command with a session of its own. */
function bare(command: string[], env: Record<string, string>, folder: string): Promise<void> {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/
  const [first = '', ...args] = command.map((word) => (uuid.test(word) ? randomUUID() : word))
  return new Promise((done, failed) => {
    const child = spawn(first, args, { cwd: join(folder, 'workspace'), env, stdio: ['pipe', 'ignore', 'ignore'] })
    child.on('exit', (code) => (code === 0 ? done() : failed(new Error(`${first} exited with ${code}`))))
    child.stdin.end(prompt)
  })
}
