import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Figure, median, ms, timed } from './figure.ts'
import { deliver, exported, inYard, script } from './yard.ts'

const cache = resolve('.cache/bench/packages')
const run = 'npm ci --no-audit --no-fund'
const dependencies = {
  ...{ express: '4.19.2', webpack: '5.93.0', eslint: '8.57.0', typescript: '5.5.4', lodash: '4.17.21' },
  ...{ rxjs: '7.8.1', chalk: '4.1.2', yargs: '17.7.2', mocha: '10.7.0' },
}

/** How long a workspace takes until its agent starts, when nobody has set up the same before, and when somebody has. */
export async function benchWorkspace(): Promise<Figure[]> {
  const files = lockedProject()
  const samples = { first: [] as number[], second: [] as number[], bare: [] as number[], copy: [] as number[] }
  let disk = ''
  for (let pair = 0; pair < pairs; pair++) {
    const bare = await bareInstall(files)
    samples.bare.push(bare.install)
    samples.copy.push(bare.copy)
    const opened = await openTwo(files)
    samples.first.push(opened.first)
    samples.second.push(opened.second)
    disk = opened.disk
  }
  const [first, second] = [median(samples.first), median(samples.second)]
  const [bare, copy] = [median(samples.bare), median(samples.copy)]
  const packages = Object.keys(JSON.parse(files['package-lock.json']!).packages).length - 1
  return [
    {
      name: `the second workspace with ${packages} npm packages, beside the first one (median of ${pairs}, agents and checks of ${workS} s; ${disk})`,
      ours: ms(second),
      bare: ms(first),
      ratio: `${((100 * second) / first).toFixed(0)} %`,
      promised: 'at most 20 %',
      kept: second <= 0.2 * first,
    },
    {
      name: 'what the file system allows: a copy of the packages, beside `npm ci` with a warm cache',
      ours: ms(copy),
      bare: ms(bare),
      ratio: `${((100 * copy) / bare).toFixed(0)} %`,
      promised: '',
      kept: true,
    },
  ]
}

const pairs = 3
/** An agent and a check take their time; the next copy is made meanwhile. */
const workS = 20

/** Asks the registry once; afterwards the lock file and the packages are in the cache. */
function lockedProject(): Record<string, string> {
  process.env.npm_config_cache = join(cache, 'npm')
  if (!existsSync(join(cache, 'package-lock.json'))) {
    mkdirSync(cache, { recursive: true })
    writeFileSync(join(cache, 'package.json'), JSON.stringify({ name: 'many', private: true, dependencies }, null, 2))
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], { cwd: cache, stdio: 'ignore' })
    rmSync(join(cache, 'node_modules'), { recursive: true, force: true })
  }
  const text = (name: string): string => readFileSync(join(cache, name), 'utf8')
  const manifests = { 'package.json': text('package.json'), 'package-lock.json': text('package-lock.json') }
  return { ...manifests, '.gitignore': 'node_modules\n', 'a.txt': 'a\n' }
}

async function bareInstall(files: Record<string, string>): Promise<{ install: number; copy: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'ropewalk-bare-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const took = (line: string) => timed(() => execFileSync('sh', ['-c', line], { cwd: folder, stdio: 'ignore' }))
  const install = await took(run)
  const copy = await took('cp -a --reflink=auto node_modules copy')
  rmSync(folder, { recursive: true, force: true })
  return { install, copy }
}

/** By the built binary, one story after the other, in the log's own time: from the step's start to the agent's. */
function openTwo(files: Record<string, string>): Promise<{ first: number; second: number; disk: string }> {
  const agent = ['sh', '-c', `sleep ${workS}; test -d node_modules/webpack && echo b > $ROPEWALK_STORY.txt`]
  return inYard({ stories: 2, chained: true, agents: 1, agent }, async (folder) => {
    const repository = join(folder, 'repository')
    for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text)
    const settings = JSON.parse(readFileSync(join(repository, 'ropewalk.yaml'), 'utf8'))
    writeFileSync(
      join(repository, 'ropewalk.yaml'),
      JSON.stringify({ ...settings, setup: { run }, checks: { test: { run: `sleep ${workS}`, parser: 'exit-code' } } }),
    )
    await script(repository, 'git add -A && git commit -qm packages')
    await deliver(folder)
    const home = join(folder, 'home')
    const [first = 0, second = 0] = readyTimes(exported(folder))
    const pools = join(home, 'pools')
    const each = megabytes(join(pools, readdirSync(pools)[0]!, 'files'))
    return { first, second, disk: `${each} in each, ${megabytes(pools)} in the pool; ${kindOfDisk(home)}` }
  })
}

interface Entry {
  at: number
  event: { type: string; story?: string; step?: { verb: string; story: string } }
}

function readyTimes(entries: Entry[]): number[] {
  return ['s0', 's1'].map((story) => {
    const begun = entries.find(
      ({ event }) => event.type === 'StepStarted' && event.step?.verb === 'CodeStory' && event.step.story === story,
    )
    const started = entries.find(({ event }) => event.type === 'AgentStarted' && event.story === story)
    return started!.at - begun!.at
  })
}

const megabytes = (folder: string): string =>
  `${Math.round(Number(execFileSync('du', ['-sk', folder], { encoding: 'utf8' }).split('\t')[0]) / 1_000)} MB`

/** Whether files can be cloned here, by trying. */
function kindOfDisk(folder: string): string {
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  writeFileSync(from, 'x')
  let clones = true
  try {
    execFileSync('cp', ['--reflink=always', from, to], { stdio: 'ignore' })
  } catch {
    clones = false
  }
  return `${clones ? 'cloned' : 'copied'} on file system 0x${statfsSync(folder).type.toString(16)}`
}
