import { describe, expect, it } from 'vitest'
import { fuel } from '../../../../src/delivery/fuel.ts'
import type { Interpretation, StructuredReading } from '../../../../src/delivery/intent/interpretation.ts'
import type { AskQuestion } from '../../../../src/delivery/step.ts'
import { fits } from '../../../../src/delivery/stepping/fits.ts'
import { accepts, breaks, looksInto, misreads, reads } from '../../endings.ts'
import { assumption, claiming, reading } from '../../judgement-sample.ts'
import type { Player } from '../../player.ts'
import { agent } from '../../sample.ts'
import { begun, readers } from './reader.ts'

const one = reading('the list is sorted by name')
const two = reading('old entries vanish after a week')
const three = reading('mails are sent to administrators')
const ambiguous = { ambiguity: 'ambiguous' as const, reading: one, criteria: ['sorted'] }

/** The readings of both challengers, one of them or both absent where null. */
function held(given: Parameters<typeof begun>[0], ...challenges: (Partial<Interpretation> | null)[]): Player {
  const player = begun(given)
  player.perform('ReadRequirement first', reads(ambiguous))
  challenges.forEach((challenge, index) => {
    const name = `ReadRequirement challenger-${index + 1}`
    player.perform(name, challenge === null ? misreads : reads(challenge))
    if (challenge === null) player.perform(name, misreads)
  })
  return player
}

describe('a council', () => {
  it('is two at once, of other families than the reader, who see nothing of the first reading', () => {
    const player = begun()
    player.perform('ReadRequirement first', reads(ambiguous))
    expect(player.due()).toEqual(['ReadRequirement challenger-1', 'ReadRequirement challenger-2'])
    const steps = player.due().map((name) => player.find(name))
    expect(steps).toMatchObject([{ agent: 'other' }, { agent: 'third' }])
    expect(JSON.stringify(steps)).not.toContain('sorted')
  })
  it('waits as a whole when the world refuses one of them: what the other comes to is no longer awaited', () => {
    const player = begun()
    player.perform('ReadRequirement first', reads(ambiguous))
    const [one, other] = [1, 2].map((number) => player.start(`ReadRequirement challenger-${number}`))
    player.end(one!, breaks)
    const left = fuel(player.state)
    expect(fits(player.state, other!)).toBe(false)
    player.end(other!, breaks)
    expect(player.state.trouble?.step).toBe(one!.id)
    expect(fuel(player.state)).toBe(left)
  })
  it('hears each of them before it asks one of them again, where few readings are left', () => {
    const player = begun({ limits: { readings: 3 } })
    player.perform('ReadRequirement first', reads(ambiguous))
    const [one, other] = [1, 2].map((number) => player.start(`ReadRequirement challenger-${number}`))
    player.end(one!, misreads)
    player.end(other!, reads({ reading: two }))
    expect(player.state.intent.words['challenger-2']).toMatchObject({ status: 'read' })
  })
  it('is held for architecture without a second reading of the same kind', () => {
    const player = begun({}, { workKind: 'architectural' })
    player.perform('ReadRequirement first')
    expect(player.due()).toEqual(['ReadRequirement challenger-1', 'ReadRequirement challenger-2'])
  })
  it('of one mind clears it', () => {
    const player = held({}, { reading: one }, { reading: one })
    expect(player.due()).toEqual(['DraftPlan'])
    expect(player.state.intent.council).toEqual({
      ...{ level: 'clear', survived: true, winner: 'first', weaker: false, dissents: [] },
      basis: 'first, challenger-1, challenger-2 agree',
    })
    expect(player.state.concerns).toEqual([])
  })
  it('keeps who dissents, for later roles', () => {
    const player = held({}, { reading: one }, { reading: two })
    expect(player.state.intent).toMatchObject({
      council: {
        ...{ level: 'uncertain', survived: true, winner: 'first' },
        dissents: [{ seat: 'challenger-2', summary: two.summary, differs: [expect.stringMatching(/observable/)] }],
      },
      meaning: { reading: one },
    })
    expect(player.state.concerns).toEqual([expect.stringMatching(/nobody was asked what is meant.*readers differ/)])
  })
  it('may overrule the first reading, by content and not by how sure anybody is', () => {
    const unsure = { reading: two, ambiguity: 'ambiguous' as const, criteria: ['vanished'] }
    const player = held({}, unsure, unsure)
    expect(player.state.intent).toMatchObject({
      council: { level: 'uncertain', survived: false, winner: 'challenger-1', dissents: [{ seat: 'first' }] },
      meaning: { seat: 'challenger-1', reading: two },
      contract: { criteria: ['vanished'] },
    })
  })
  it('has the assumptions of a winner looked into that nobody has looked into', () => {
    const shaky = { reading: two, assumptions: [assumption('a')] }
    const player = held({}, shaky, shaky)
    expect(player.find('CheckAssumptions challenger-1')).toMatchObject({ assumptions: shaky.assumptions })
    player.perform('CheckAssumptions challenger-1', looksInto({ a: 'refuted' }))
    player.run()
    expect(player.state.mode).toMatchObject({ result: 'blocked', reason: expect.stringMatching(/code says otherwise/) })
  })
  it('where all differ picks nobody', () => {
    const player = held({}, { reading: two }, { reading: three })
    expect(player.state.intent.control).toMatchObject({ status: 'asking', ask: { default: null } })
    expect(player.run().state.mode).toMatchObject({
      result: 'blocked',
      reason: expect.stringMatching(
        /it is not clear what is meant.*Is it so\?.*1\. the list.*2\. old entries.*3\. mails/s,
      ),
    })
  })
  it('is told of a human who agrees with one of those who dissent', () => {
    const player = held({ unattended: false }, { reading: one }, { reading: two })
    const { question } = player.perform('AskQuestion') as AskQuestion
    // What several of them say is one reading to choose from.
    expect(question.options.map(({ id }) => id)).toEqual([
      ...['reading-1', 'reading-2', 'reading-3', 'best-judgement', 'abandon'],
    ])
    player.answer('reading-2')
    expect(player.state.intent).toMatchObject({
      meaning: { seat: 'challenger-2', reading: two },
      council: { winner: 'first', dissents: [{ seat: 'first' }, { seat: 'challenger-1' }] },
    })
  })
  it('counts the second reading too: two against two is no majority', () => {
    const player = begun()
    player.perform('ReadRequirement first', reads({ reading: one, ambiguity: 'uncertain' }))
    player.perform('ReadRequirement second', reads({ reading: two }))
    player.perform('ReadRequirement challenger-1', reads({ reading: one }))
    player.perform('ReadRequirement challenger-2', reads({ reading: two }))
    expect(player.run().state.intent.council).toMatchObject({
      winner: null,
      basis: 'no reading has more on its side than another (first, challenger-1 against second, challenger-2)',
      dissents: [{ seat: 'second' }, { seat: 'challenger-2' }],
    })
    expect(player.result()).toBe('blocked')
  })
})

describe('readings that differ in one word', () => {
  const byFirst = claiming('sorted by first name', { 'Zoe Adams, Al Young': 'Al Young, Zoe Adams' })
  const byFamily = claiming('sorted by family name', { 'Zoe Adams, Al Young': 'Zoe Adams, Al Young' })
  const another = claiming('sorted by the name they go by', { 'Bo Zeh, Cy Abel': 'Bo Zeh, Cy Abel' })
  const doubted = (second: StructuredReading, given: Parameters<typeof begun>[0] = {}): Player => {
    const player = begun(given)
    player.perform('ReadRequirement first', reads({ reading: byFirst, ambiguity: 'uncertain' }))
    player.perform('ReadRequirement second', reads({ reading: second }))
    return player
  }

  it('differ where the same goes in and something else comes out, without another turn', () => {
    const player = doubted(byFamily)
    expect(player.due()).toEqual(['ReadRequirement challenger-1', 'ReadRequirement challenger-2'])
  })
  it('agree without another turn where one claims all that the other does', () => {
    const both = { ...byFirst, examples: [...byFirst.examples, ...another.examples] }
    expect(doubted({ ...both, summary: 'in other words' }).due()).toEqual(['DraftPlan'])
  })
  it('are told apart by who gave the second one: whether it has the examples of the first so', () => {
    const player = doubted(another)
    expect(player.due()).toEqual(['TryExamples second'])
    const left = fuel(player.state)
    expect(player.find('TryExamples second')).toMatchObject({
      ...{ agent: 'mine', examples: [{ of: 'first', ...byFirst.examples[0] }] },
    })
    player.perform('TryExamples second', accepts('yes'))
    expect(fuel(player.state)).toBeLessThan(left)
    expect(player.due()).toEqual(['DraftPlan'])
  })
  it.each(['no', 'unknown'] as const)('differ where it says %s to all of them: then there is a council', (word) => {
    const player = doubted(another)
    player.perform('TryExamples second', accepts(word))
    expect(player.due()).toEqual(['ReadRequirement challenger-1', 'ReadRequirement challenger-2'])
    for (const seat of [1, 2]) player.perform(`ReadRequirement challenger-${seat}`, reads({ reading: byFirst }))
    player.run()
    expect(player.state.intent.council).toMatchObject({
      winner: 'first',
      dissents: [
        {
          seat: 'second',
          differs: [expect.stringMatching(word === 'no' ? /not as second reads it/ : /nobody could say/)],
        },
      ],
    })
  })
  it('of two challengers count, though the first reading leaves it open: each is asked once', () => {
    const open = claiming('sorted by name', { 'no names': 'an empty list' })
    const player = begun()
    player.perform('ReadRequirement first', reads({ reading: open, ambiguity: 'ambiguous' }))
    player.perform('ReadRequirement challenger-1', reads({ reading: byFirst }))
    player.perform('ReadRequirement challenger-2', reads({ reading: byFamily }))
    expect(player.due()).toEqual(['TryExamples challenger-1', 'TryExamples challenger-2'])
    player.run({ TryExamples: accepts('yes') })
    expect([player.times('TryExamples challenger-1'), player.times('TryExamples challenger-2')]).toEqual([1, 1])
    expect(player.state.intent.council).toMatchObject({
      winner: 'first',
      dissents: [{ seat: 'challenger-2', differs: [expect.stringMatching(/Zoe Adams, Al Young → /)] }],
    })
  })
})

describe('a council that lacks somebody', () => {
  it('goes on with one challenger, and tells it', () => {
    const player = held({}, { reading: one }, null)
    expect(player.state.intent.council).toMatchObject({ level: 'clear', winner: 'first' })
    expect(player.state.concerns).toEqual(['gave no usable reading: challenger-2'])
  })
  it('goes on with those that may still be asked', () => {
    const player = held({ limits: { readings: 2 } })
    expect(player.due()).toEqual(['ReadRequirement challenger-1'])
    player.perform('ReadRequirement challenger-1', reads({ reading: one }))
    expect(player.due()).toEqual(['DraftPlan'])
    expect(player.state.concerns).toEqual(['gave no usable reading: challenger-2'])
  })
  it('lets one go that may not be asked any more', () => {
    const player = held({})
    for (const name of player.due()) player.start(name)
    player.tell({ type: 'RepinPolicy', policy: readers({ limits: { readings: 2 } }), policyHash: 'p2', by: 'me' })
    expect(player.due()).toEqual(['ReadRequirement challenger-1'])
  })
  it('does not come about without any, and the requirement stays as ambiguous as it was', () => {
    const player = held({}, null, null)
    expect(player.state.intent).toMatchObject({
      council: null,
      level: { level: 'ambiguous' },
      meaning: { seat: 'first' },
    })
    expect(player.state.concerns).toEqual([
      'gave no usable reading: challenger-1, challenger-2',
      expect.stringMatching(/nobody was asked.*ambiguous/),
    ])
  })
  it('is not asked for where nobody is configured to doubt', () => {
    const player = held({ roles: { challenger: [] } })
    expect(player.state.intent).toMatchObject({ council: null, level: { level: 'ambiguous' } })
    expect(player.state.concerns).toContain('nobody challenged the reading: there is no challenger')
  })
  it('is marked as weaker within one family, and does not clear it', () => {
    const agents = {
      mine: agent({ driver: 'claude', models: { powerful: 'opus', balanced: 'sonnet', fast: 'haiku' } }),
    }
    const player = begun({ agents, roles: { interpreter: ['mine'], challenger: ['mine'] } })
    player.perform('ReadRequirement first', reads(ambiguous))
    expect(player.find('ReadRequirement challenger-1')).toMatchObject({ model: 'sonnet' })
    expect(player.find('ReadRequirement challenger-2')).toMatchObject({ model: 'haiku' })
    player.perform('ReadRequirement challenger-1', reads({ reading: one }))
    expect(player.find('ReadRequirement challenger-2')).toMatchObject({ model: 'haiku' })
    player.perform('ReadRequirement challenger-2', reads({ reading: one }))
    expect(player.state.intent.council).toMatchObject({ level: 'uncertain', winner: 'first', weaker: true })
    expect(player.state.concerns).toEqual([
      'who challenged the reading is of the same model family, which is weaker',
      expect.stringMatching(/nobody was asked/),
    ])
  })
})
