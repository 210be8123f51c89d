import { describe, expect, it } from 'vitest'
import type { AgentPolicy } from '../../../../src/delivery/policy.ts'
import { agentOf, openYard, type Yard } from '../yard.ts'
import { assumption, said, shop } from './sample.ts'

/** As a scripted agent writes it. */
const nonce = '$ROPEWALK_NONCE'
const requirement = 'The total of an invoice is shown: `total(positions)` returns it'

/** An interpreter and a challenger, each with a script of its own. */
async function reads(given: { interpreter: unknown[]; challenger?: unknown[]; text?: string; unattended?: boolean }) {
  const agents: Record<string, AgentPolicy> = {
    mine: agentOf(given.interpreter),
    other: agentOf(given.challenger ?? []),
  }
  const roles = { coder: ['mine'], planner: ['mine'], testWriter: [], verifier: [], triager: [] }
  return await openYard({
    files: shop,
    stories: null,
    script: [],
    requirement: given.text ?? requirement,
    policy: {
      agents,
      roles: { ...roles, interpreter: ['mine'], challenger: given.challenger === undefined ? [] : ['other'] },
      unattended: given.unattended ?? false,
    },
  })
}

const promptsOf = async (yard: Yard, interims: { type: string; promptDigest?: string }[]): Promise<string[]> =>
  await Promise.all(
    interims.flatMap(({ type, promptDigest }) =>
      type === 'AgentStarted'
        ? [yard.world.blobs.get(promptDigest!).then((bytes) => Buffer.from(bytes!).toString())]
        : [],
    ),
  )

describe('reading a requirement', () => {
  it('gives the typed opinion, with names for its assumptions', async () => {
    const answer = said('The positions are joined', { assumptions: [assumption('Amounts are numbers')] })
    const { nonce: _, ...opinion } = answer
    const yard = await reads({ interpreter: [{ role: 'interpreter', do: [{ result: answer }] }] })
    const { ending, interims } = await yard.perform('ReadRequirement')
    expect(ending).toMatchObject({
      ...{ type: 'RequirementRead', seat: 'first', quality: 'full' },
      interpretation: { ...opinion, assumptions: [{ id: 'a1', claim: 'Amounts are numbers', stakes: 'high' }] },
    })
    const [prompt] = await promptsOf(yard, interims)
    expect(prompt).toContain(requirement)
    expect(prompt).toContain('An amount is a text such as 12,50')
    expect(prompt).toContain('2: export function total(positions) {')
  })

  it.each([
    ['prose', { say: 'It is perfectly clear what is meant. I approve.' }],
    ['no rival', { result: said('Shown', { rivals: [] }) }],
    [
      'a rival that says the same',
      { result: said('Same', { rivals: [{ word: 'x', reading: said('Same').reading, evidence: 'x' }] }) },
    ],
    ['quoted', { result: said('Shown', { nonce: '0123456789abcdef' }) }],
    ['said to nobody', { result: { ...said('Shown'), nonce: undefined } }],
    ['no criteria', { result: said('Shown', { criteria: [] }) }],
    ['nothing to observe', { result: said('Shown', { reading: { ...said('Shown').reading, behaviours: [] } }) }],
    ['too much', { result: said('Shown', { criteria: Array.from({ length: 200 }, () => 'more') }) }],
  ])('is asked for again, and then faulted, when the answer is %s', async (_, action) => {
    const yard = await reads({ interpreter: [{ do: [action] }] })
    const { ending, interims } = await yard.perform('ReadRequirement')
    expect(ending).toMatchObject({ type: 'ReadingFaulted', seat: 'first', problems: [expect.any(String)] })
    expect(interims.filter(({ type }) => type === 'AgentStarted')).toHaveLength(3)
  })

  it('tells of a limit, and is faulted by a crash', async () => {
    const limited = await reads({ interpreter: [{ do: [{ limit: { resetsInMs: 60_000 } }] }] })
    expect((await limited.perform('ReadRequirement')).ending).toMatchObject({ type: 'AgentRefused', story: null })
    const crashed = await reads({ interpreter: [{ do: [{ crash: true }] }] })
    expect((await crashed.perform('ReadRequirement')).ending).toMatchObject({ type: 'ReadingFaulted' })
  })

  it('drops what the reader changed, and says so', async () => {
    const actions = [{ write: { 'src/invoice.js': 'gone' } }, { result: said('Shown') }]
    const yard = await reads({ interpreter: [{ do: actions }] })
    const { interims } = await yard.perform('ReadRequirement')
    expect(interims.at(-1)).toMatchObject({ type: 'ConcernRaised', text: expect.stringContaining('src/invoice.js') })
    expect((await yard.repository.checkout()).dirtyFiles).toEqual([])
  })
})

const wrong = { assumptions: [assumption('Amounts are numbers'), assumption('It is typed by hand', { stakes: 'low' })] }

const checks = async (words: object[]) => {
  const script = [{ role: 'challenger', do: [{ result: { nonce, checked: words } }] }]
  const yard = await reads({ interpreter: [{ do: [{ result: said('CANARY', wrong) }] }], challenger: script })
  await yard.perform('ReadRequirement')
  return { yard, ...(await yard.perform('CheckAssumptions')) }
}
const quote = { file: './src/invoice.js', line: 7, quote: 'export const amount  = "12,50"', why: 'It is a text.' }

describe('checking assumptions', () => {
  it('takes a quotation that is there, corrects its line, and tells the checker nothing of the reading', async () => {
    const { yard, ending, interims } = await checks([{ id: 'a1', verdict: 'refuted', ...quote }])
    expect(ending).toMatchObject({
      type: 'AssumptionsChecked',
      checked: [
        { id: 'a1', claim: 'Amounts are numbers', verdict: 'refuted', file: 'src/invoice.js', line: 1 },
        { id: 'a2', verdict: 'unknown', evidence: 'the checker said nothing about it' },
      ],
    })
    const [prompt] = await promptsOf(yard, interims)
    expect(prompt).toContain('Amounts are numbers')
    for (const hidden of ['CANARY', requirement]) expect(prompt).not.toContain(hidden)
  })

  it.each([
    ['a file that is not there', { file: 'src/none.js' }],
    ['words that are not in it', { quote: 'amount = Number(text)' }],
    ['next to nothing', { quote: '}' }],
    ['a folder', { file: 'src' }],
    ['a path out of the repository', { file: '../../etc/passwd' }],
  ])('holds nothing for refuted by a quotation of %s', async (_, changed) => {
    const { ending } = await checks([{ id: 'a1', verdict: 'refuted', ...quote, ...changed }])
    expect(ending).toMatchObject({ checked: [{ verdict: 'unknown', file: null }, { verdict: 'unknown' }] })
  })

  it('lets a claim hold without a quotation, but not by a wrong one', async () => {
    const { ending } = await checks([
      { id: 'a1', verdict: 'holds', why: 'Nothing else was found.' },
      { id: 'a2', verdict: 'holds', ...quote, quote: 'not there at all' },
    ])
    expect(ending).toMatchObject({ checked: [{ verdict: 'holds' }, { verdict: 'unknown' }] })
    const short = await checks([
      { id: 'a1', verdict: 'holds', ...quote, quote: quote.quote.slice(0, 6) },
      { id: 'a2', verdict: 'refuted', ...quote, quote: quote.quote.slice(0, 6) },
    ])
    expect(short.ending).toMatchObject({ checked: [{ verdict: 'holds' }, { verdict: 'unknown' }] })
  })

  it.each([
    ['prose', { say: 'All of them hold.' }],
    [
      'two words on one claim',
      {
        result: {
          nonce,
          checked: [
            { id: 'a1', verdict: 'holds', why: 'x' },
            { id: 'a1', verdict: 'refuted', ...quote },
          ],
        },
      },
    ],
    ['what it only quotes', { result: { checked: [{ id: 'a1', verdict: 'holds', why: 'x' }] } }],
    ['claims that nobody made', { result: { nonce, checked: [{ id: 'a9', verdict: 'holds', why: 'x' }] } }],
    [
      'refuted without anything',
      { result: { nonce, checked: [{ id: 'a1', verdict: 'refuted', why: 'I think so.' }] } },
    ],
    ['a crash', { crash: true }],
  ])('leaves all unknown after %s', async (_, action) => {
    const yard = await reads({ interpreter: [{ do: [{ result: said('It', wrong) }] }], challenger: [{ do: [action] }] })
    await yard.perform('ReadRequirement')
    const { ending } = await yard.perform('CheckAssumptions')
    expect(ending).toMatchObject({
      type: 'AssumptionsChecked',
      checked: [{ verdict: 'unknown' }, { verdict: 'unknown' }],
    })
  })

  it('lets the reading be derived again with the facts, and the facts reach the reader', async () => {
    const again = { prompt: 'The code says otherwise', do: [{ result: said('The texts are joined') }] }
    const yard = await reads({
      interpreter: [{ do: [{ result: said('The sum is shown', wrong) }] }, again],
      challenger: [{ do: [{ result: { nonce, checked: [{ id: 'a1', verdict: 'refuted', ...quote }] } }] }],
    })
    await yard.perform('ReadRequirement')
    await yard.perform('CheckAssumptions')
    const { ending, interims } = await yard.perform('ReadRequirement')
    expect(ending).toMatchObject({ seat: 'again', interpretation: { reading: { summary: 'The texts are joined' } } })
    expect((await promptsOf(yard, interims))[0]).toContain('src/invoice.js:1')
    expect((await yard.state()).intent).toMatchObject({
      control: { status: 'settled' },
      meaning: { seat: 'again', reading: { summary: 'The texts are joined' } },
    })
  })
})

describe('challengers', () => {
  it('see the raw requirement and the project, and nothing of the reading before', async () => {
    const yard = await reads({
      text: 'Better, faster, nicer and more modern invoices that show "12,50"',
      unattended: true,
      interpreter: [{ do: [{ result: said('CANARY') }] }],
      challenger: [{ do: [{ result: said('Something else', { reading: said('Something else').reading }) }] }],
    })
    await yard.perform('ReadRequirement')
    const { ending, interims } = await yard.perform('ReadRequirement')
    expect(ending).toMatchObject({ type: 'RequirementRead', seat: 'challenger-1' })
    const [prompt] = await promptsOf(yard, interims)
    expect(prompt).toContain('Better, faster, nicer')
    expect(prompt).toContain('Keeps the invoices of small shops')
    expect(prompt).not.toContain('CANARY')
  })
})
