import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import type { Figure } from '../figure.ts'
import { deliver, inYard, script } from '../yard.ts'
import { type Counter, openCounter } from './counter.ts'

const stories = 12
const promised = 1.3
const modules = 6

/** 12 independent stories that each add code and a test: how often the suite runs, with everything on that judges. */
export async function benchSuiteRuns(): Promise<Figure[]> {
  const counter = await openCounter()
  const plan = { stories, chained: false, agents: 4, agent: agent(counter), settings }
  const landed = await inYard(plan, async (folder) => {
    await script(folder, suiteOf(counter))
    await deliver(folder)
    return storiesIn(join(folder, 'repository'))
  })
  counter.close()
  // Nothing has to do with this one: it runs where all of the suite does.
  const whole = counter.words.filter((word) => word === 'untouched').length
  const parts = counter.words.length - whole * (modules + 1)
  const each = whole / stories
  return [
    {
      name: `suite runs for each of ${stories} independent stories that add a test, with all judges (one run)`,
      ours: `${each.toFixed(2)} (${whole} in all; besides, ${parts} runs of single or new test files)`,
      bare: '1',
      ratio: '',
      promised: `at most ${promised}, and all land`,
      kept: each <= promised && landed === stories,
    },
  ]
}

const storiesIn = (path: string): number => {
  const { stdout } = spawnSync('git', ['ls-tree', '--name-only', 'main', 'test/'], { cwd: path, encoding: 'utf8' })
  return stdout.split('\n').filter((name) => /^test\/s\d+/.test(name)).length
}

const settings = () => ({ checks: { test: { run: 'npm test' } }, limits: { agents: 4 } })

const test = (counter: Counter, name: string): string => `import { test } from 'node:test'
import assert from 'node:assert'
import { connect } from 'node:net'
import { ${name}Of } from '../src/${name}.js'
connect(${counter.port}, '127.0.0.1').end('${name}')
test('${name} of two', () => assert.equal(${name}Of(2), 4))
test('${name} of three', () => assert.equal(${name}Of(3), 6))
`

const code = (name: string): string => `export function ${name}Of(count) {
  if (count < 0) return 0
  return count * 2
}
`

const write = (path: string, text: string): string => `mkdir -p $(dirname ${path}); cat > ${path} <<'END'\n${text}END\n`

function suiteOf(counter: Counter): string {
  const names = [...Array.from({ length: modules }, (_, n) => `old${n}`), 'untouched']
  const files = names.map(
    (name) => write(`src/${name}.js`, code(name)) + write(`test/${name}.test.js`, test(counter, name)),
  )
  const manifest = JSON.stringify({ type: 'module', scripts: { test: 'node --test test/' } })
  return `cd repository\n${write('package.json', `${manifest}\n`)}${files.join('')}git add -A\ngit commit -qm suite`
}

const agent = (counter: Counter): string[] => [
  'sh',
  '-c',
  `${write('src/$ROPEWALK_STORY.js', code('NAME'))}${write('test/$ROPEWALK_STORY.test.js', test(counter, 'NAME'))}sed -i s/NAME/$ROPEWALK_STORY/g src/$ROPEWALK_STORY.js test/$ROPEWALK_STORY.test.js`,
]
