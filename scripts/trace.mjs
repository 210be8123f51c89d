// How many of our source files run a function of theirs in the simplest delivery: `node scripts/trace.mjs [--list]`.
// One story, given as a plan, coded by the scripted agent, proven by one check, and landed.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = mkdtempSync(join(tmpdir(), 'ropewalk-trace-'))
// Beside the real one, so that its libraries are found.
const built = resolve('.cache', `trace-${process.pid}`)
try {
  execFileSync(process.execPath, ['scripts/build.mjs', built, 'main', 'maps'])
  deliver(join(folder, 'repository'))
  const files = [...new Set(executed(join(folder, 'coverage')))].sort()
  if (process.argv.includes('--list')) process.stdout.write(`${files.join('\n')}\n\n`)
  for (const [room, count] of counted(files.map(roomOf)))
    process.stdout.write(`${String(count).padStart(5)}  ${room}\n`)
  process.stdout.write(`${String(files.length).padStart(5)}  files of src run a function of theirs\n`)
} finally {
  for (const path of [folder, built]) rmSync(path, { recursive: true, force: true })
}

function deliver(repository) {
  const files = {
    'ropewalk.yaml': [
      'target: main',
      'agents: { player: { driver: scripted, script: script.yaml } }',
      'roles: { coder: player }',
      'checks: { test: { run: "test -f ropewalk.yaml", parser: exit-code } }',
    ],
    'script.yaml': ['- role: coder', '  do: [{ write: { one.txt: "one" } }]'],
    'plan.yaml': ['stories:', '  - { id: one, title: Story one, criteria: ["Given one, then it is there"] }'],
  }
  mkdirSync(repository)
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(repository, name), `${lines.join('\n')}\n`)
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@localhost', '-c', 'commit.gpgsign=false']
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...who, 'commit', '-qm', 'Begin'],
  ])
    execFileSync('git', args, { cwd: repository })
  const env = { ...process.env, NODE_V8_COVERAGE: join(folder, 'coverage'), ROPEWALK_HOME: join(folder, 'home') }
  const args = [join(built, 'main.js'), 'run', 'Make it so', '--plan', 'plan.yaml', '--unattended', '--gates', 'auto']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: repository, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the delivery ended with ${status}:\n${stdout}${stderr}`)
}

/** The source file of each function that was called; what a module does when it is loaded is no function. */
function executed(coverage) {
  const scripts = readdirSync(coverage).flatMap((name) => JSON.parse(readFileSync(join(coverage, name), 'utf8')).result)
  return scripts
    .filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(built))
    .flatMap(({ url, functions }) => {
      const path = fileURLToPath(url)
      const placeOf = places(readFileSync(path, 'utf8'))
      const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')))
      const called = functions.filter(({ ranges }) => ranges[0].count > 0 && ranges[0].startOffset > 0)
      return called.flatMap(({ ranges }) => {
        const { originalSource } = map.findEntry(...placeOf(ranges[0].startOffset))
        const source = originalSource === undefined ? '' : relative('.', resolve(path, '..', originalSource))
        return source.startsWith('src/') ? [source] : []
      })
    })
}

/** Line and column of an offset, both from 0. */
function places(text) {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  return (offset) => {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (starts[middle] <= offset) low = middle
      else high = middle - 1
    }
    return [low, offset - starts[low]]
  }
}

function roomOf(path) {
  const [, room, file] = path.split('/')
  return file === undefined ? basename(path) : room
}

function counted(names) {
  const counts = new Map()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}
