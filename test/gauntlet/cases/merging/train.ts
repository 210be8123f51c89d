// Several stories are ready at once: they are proven together, and one that is wrong is found and goes back alone.
import type { Case } from '../../case.ts'

const names = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox']
const stories = names.map((id) => ({ id }))
const settings = {
  check: 'node --test',
  checks: {
    test: { run: 'node --test', full: 'merge' },
    shape: { run: 'node shape.mjs', full: 'merge', parser: 'exit-code' },
  },
  limits: { agents: 3, checks: 1 },
}
/** Alone each is fine; together there may be at most one that is loud. */
const shape = `import { readdirSync, readFileSync } from 'node:fs'
const loud = readdirSync('src').filter((file) => readFileSync('src/' + file, 'utf8').includes('LOUD'))
if (loud.length > 1) { console.error('too loud together: ' + loud.join(', ')); process.exit(1) }
`
/** Each waits at the end until all of them are there. */
const atOnce = `touch "$YARD/$ROPEWALK_STORY.done"; while [ "$(ls "$YARD" | grep -c done)" -lt 8 ]; do sleep 0.05; done`
const animal = `mkdir -p src test
echo "export const $ROPEWALK_STORY = '$ROPEWALK_STORY'" > src/$ROPEWALK_STORY.js
cat > test/$ROPEWALK_STORY.test.js <<TEST
import assert from 'node:assert/strict'
import test from 'node:test'
import { $ROPEWALK_STORY } from '../src/$ROPEWALK_STORY.js'

test('$ROPEWALK_STORY', () => {
  assert.equal($ROPEWALK_STORY, '$ROPEWALK_STORY')
})
TEST`
const files = { 'shape.mjs': shape }

export const train: Case[] = [
  {
    code: 'FD3',
    name: 'six stories are ready, and one of them is wrong',
    expect: 'caught',
    files,
    stories,
    settings,
    agent: `${animal}\nif [ $ROPEWALK_STORY = dog ]; then sed -i "s/'dog'/'wolf'/" src/dog.js; fi`,
    spares: names.filter((name) => name !== 'dog'),
    names: /dog/,
  },
  {
    code: 'FD3',
    name: 'six stories are ready, and two of them go alone but not together',
    expect: 'caught',
    files,
    stories,
    settings,
    agent: `${animal}\ncase $ROPEWALK_STORY in bee|elk) echo '// LOUD' >> src/$ROPEWALK_STORY.js;; esac`,
    spares: names.filter((name) => name !== 'elk'),
    names: /failed: elk/,
  },
  {
    code: 'FF12',
    name: 'eight stories finish in the same second',
    expect: 'passes',
    files,
    stories: [...stories, { id: 'gnu' }, { id: 'hen' }],
    settings: { ...settings, limits: { agents: 8, checks: 1 } },
    agent: `${animal}\n${atOnce}`,
  },
]
