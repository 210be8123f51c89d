// All that models are asked for on the way, by an agent with a real loop: read, doubted, planned, audited, coded,
// reviewed, disputed, sorted, mended, reviewed again.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeModel, openFakeModel } from '../../contract/agents/fake-model/server.ts'
import { git } from '../../contract/user-repository.ts'
import { exits } from '../binary.ts'
import { Yard } from '../yard.ts'
import { rigsFor } from './rigs.ts'

let fake: FakeModel
beforeAll(async () => {
  fake = await openFakeModel()
  thinks('Say what is meant', interpretation)
  thinks('Look for what refutes these claims', {
    checked: [{ id: 'a1', verdict: 'holds', why: 'src/a.txt is text.' }],
  })
  says('Draft a plan', plan)
  thinks('Look for what is wrong with this plan', { verdict: 'sound', problems: [] })
  acts('Your story: one', 'echo it is one > src/one.txt', `It is there. ${canary}`)
  acts(/What must be mended now[\s\S]*should say ONE/, 'echo it is ONE > src/one.txt', 'Mended.')
  reviews(/Review this change[\s\S]*code, and not only claimed/, approval)
  reviews(/Review this change[\s\S]*Follow each changed path/, objection)
  reviews(/Review this change[\s\S]*\+it is ONE[\s\S]*Follow each changed path/, approval)
  reviews('Say what you make of findings of others', {
    rebuttals: [{ finding: 'F1', stance: 'upheld', because: 'It does say one.' }],
  })
  reviews('Sort these findings', {
    sorted: [
      { finding: 'F1', fate: 'accepted', severity: 'blocking', because: 'It says one, and the story asks for ONE.' },
    ],
  })
})
afterAll(() => fake.close())

const requirement = 'Add src/one.txt, which says ONE.'
const canary = 'CANARY: I think this is excellent.'

const reading = (summary: string) => ({
  summary,
  terms: [],
  behaviours: [summary],
  examples: ['one', 'two'].map((input) => ({ input, output: `${summary}, and so is ${input}` })),
  files: ['src/one.txt'],
  size: 'small',
})

const interpretation = {
  workKind: 'feature',
  ambiguity: 'clear',
  reading: reading('src/one.txt holds the word ONE'),
  rivals: [{ word: 'one', reading: reading('a file for the digit 1 is added'), evidence: 'none' }],
  assumptions: [{ claim: 'Files are plain text.', evidence: 'src/a.txt', falsifier: 'a binary in src', stakes: 'low' }],
  question: 'Is it the word?',
  defensible: true,
  criteria: ['Given the repository, then src/one.txt says ONE.'],
}

const plan = {
  outline: {
    approach: 'One file.',
    runnerUp: { approach: 'Two files.', lostBecause: 'One will do.' },
    covers: [{ criterion: 'C1', stories: ['one'] }],
    switchWhen: 'Never.',
  },
  stories: [{ id: 'one', title: 'Write one', criteria: ['src/one.txt says ONE'], files: ['src/one.txt'] }],
}

const approval = { verdict: 'approve', findings: [], checked: ['src/one.txt'] }
const objection = {
  verdict: 'needs-work',
  checked: ['src/one.txt'],
  findings: [
    {
      severity: 'blocking',
      file: 'src/one.txt',
      line: 1,
      message: 'It says one where it should say ONE.',
      evidence: '+it is one',
    },
  ],
}

function says(on: string | RegExp, answer: object): void {
  fake.script({ on, scenario: { steps: [{ say: `So:\n\n\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`\n` }] } })
}

function acts(on: string | RegExp, command: string, end: string): void {
  fake.script({ on, scenario: { steps: [{ say: 'I do it.', act: { do: 'shell', command } }, { say: end }] } })
}

/** An opinion names what it was asked by, a verdict the commit that it is about: the environment tells both. */
const thinks = (on: string | RegExp, answer: object): void => writes(on, { nonce: '$ROPEWALK_NONCE', ...answer })
const reviews = (on: string | RegExp, answer: object): void => writes(on, { commit: '$ROPEWALK_COMMIT', ...answer })

const writes = (on: string | RegExp, answer: object): void =>
  acts(on, `cat > "$ROPEWALK_RESULT" <<E\n${JSON.stringify(answer)}\nE`, 'It is written.')

it('a requirement is read, doubted, planned, audited, coded, reviewed, mended and reviewed again', async () => {
  const { settings, env } = rigsFor(fake.url).builtin
  const yard = new Yard({ config: { agents: { mine: settings } } })
  exits(await yard.start(['run', requirement, '--gates', 'auto'], { env }).done, 0)
  expect(git(yard.repo, 'show', 'main:src/one.txt')).toBe('it is ONE')
  const turns = await yard.eventsOf('TurnSpent')
  expect(turns.map(({ turn }) => turn.role)).toEqual([
    ...['interpreter', 'challenger', 'interpreter', 'planner', 'challenger', 'coder'],
    ...['reviewer', 'reviewer', 'reviewer', 'triager', 'coder', 'reviewer', 'reviewer'],
  ])
  const words = await yard.eventsOf('StoryReviewed')
  expect(words.every(({ word }) => word.status === 'returned')).toBe(true)
  const judges = fake.calls().filter(({ prompt }) => /Review this change|findings of others|Sort these/.test(prompt))
  expect(judges.length).toBeGreaterThan(5)
  for (const { said } of judges) expect(JSON.stringify(said)).not.toContain('CANARY')
})
