import { describe, expect, it } from 'vitest'
import type { Policy } from '../../../../src/delivery/policy.ts'
import { policyOf } from '../../../../src/delivery/state.ts'
import { git } from '../../user-repository.ts'
import { check, openYard, type Yard } from '../yard.ts'

const shell = (line: string) => ({ shell: line })
const commit = (message: string) =>
  shell(`git add -A && git -c user.name=Coder -c user.email=c@d commit -q -m '${message}'`)

/** The first story is on the line, and the second, with these acts of its coder, is to be composed onto it. */
async function waiting(
  acts: unknown[],
  policy: Partial<Policy> = {},
  files: Record<string, string> = {},
): Promise<Yard> {
  const yard = await openYard({
    files: { 'a.txt': 'a\n', 'test/a.test.js': '1\n', ...files },
    stories: [
      { id: 'one', title: 'Say one' },
      { id: 'two', title: 'Say two', mayChange: ['test/**'] },
    ],
    script: [
      { story: 'one', do: [{ write: { 'one.txt': 'one\n' } }, { say: 'one' }] },
      { story: 'two', do: [...acts, { say: 'two' }] },
    ],
    policy: { judges: [], checks: [], mergeMethod: 'rebase', ...policy },
  })
  for (const verb of ['CodeStory', 'CodeStory', 'ComposeLine', 'AdvanceLine'] as const) await yard.perform(verb)
  return yard
}

async function composed(yard: Yard) {
  const { tip } = (await yard.state()).line
  const { ending, interims } = await yard.perform('ComposeLine')
  if (ending.type !== 'LineComposed') throw new Error(JSON.stringify(ending))
  const laid = await yard.repository.commits({ from: tip, to: ending.commit, limit: 20 })
  const concerns = interims.map((event) => (event.type === 'ConcernRaised' ? event.text : event.type))
  return { laid, concerns, subjects: laid.map(({ message }) => message.split('\n', 1)[0]), ending }
}

describe('a story whose coder’s commits are kept', () => {
  it('has them on the line, and what was left over last, the same after a kill', async () => {
    const yard = await waiting([
      { write: { 'b.txt': 'b\n' } },
      commit('Add b'),
      { write: { 'c.txt': 'c\n' } },
      commit('Add c\n\nRopewalk-Story: another'),
      { write: { 'test/a.test.js': '2\n' } },
    ])
    const lost = await yard.perform('ComposeLine', { lose: true })
    const { laid, concerns, subjects, ending } = await composed(yard)
    expect(ending).toEqual(lost.ending)
    expect(subjects).toEqual(['Add b', 'Add c', 'Say two'])
    expect(concerns).toEqual([])
    expect(laid.map(({ author }) => author.name)).toEqual(['Coder', 'Coder', 'Grace'])
    expect(laid.slice(0, 2).every(({ message }) => !message.includes('Ropewalk-'))).toBe(true)
    expect(laid[2]!.message).toMatch(
      /Changes tests by plan: test\/a\.test\.js\n\nRopewalk-Delivery: d1\nRopewalk-Story: two\nRopewalk-Chain: /,
    )
  })

  it('ends with the coder’s own commit when nothing was left over', async () => {
    const yard = await waiting([
      { write: { 'b.txt': 'b\n' } },
      commit('Add b'),
      { write: { 'test/a.test.js': '2\n' } },
      commit('Test b'),
    ])
    const { laid, subjects } = await composed(yard)
    expect(subjects).toEqual(['Add b', 'Test b'])
    expect(laid[1]!.message).toMatch(/^Test b\n\nChanges tests by plan: test\/a\.test\.js\n\nRopewalk-Delivery: d1\n/)
  })

  it('has those of all its rounds, and what each of them left over', async () => {
    const rounds = [1, 2, 3].map((round) => ({
      story: 'one',
      round,
      do: [
        { write: { [`b${round}.txt`]: 'b\n' } },
        ...(round === 3 ? [] : [commit(`Round ${round}`)]),
        { write: { [`c${round}.txt`]: 'c\n' } },
        { say: 'done' },
      ],
    }))
    const yard = await openYard({
      files: { 'a.txt': 'a\n' },
      stories: [{ id: 'one', title: 'Say one' }],
      script: rounds,
      policy: { judges: ['check:test'], checks: [check({ run: 'test -e c3.txt' })], mergeMethod: 'rebase' },
    })
    for (const _ of rounds) {
      await yard.perform('CodeStory')
      await yard.perform('Judge')
    }
    const { laid, subjects } = await composed(yard)
    expect(subjects).toEqual(['Round 1', 'Say one', 'Round 2', 'Say one'])
    expect(laid.map(({ message }) => message.includes('Ropewalk-'))).toEqual([false, false, false, true])
    expect(await yard.repository.listFiles(laid[1]!.commit)).toEqual(['a.txt', 'b1.txt', 'c1.txt'])
  })

  it('is one commit, and nobody is told, when the coder made none', async () => {
    const { subjects, concerns } = await composed(await waiting([{ write: { 'b.txt': 'b\n' } }]))
    expect(subjects).toEqual(['Say two'])
    expect(concerns).toEqual([])
  })

  it('has what fix commands changed as the last of them', async () => {
    const fix = { name: 'test', run: 'true', fix: 'echo tidy > b.txt', timeoutMs: 30_000, parser: 'auto' as const }
    const more = { report: null, related: null, full: 'story' as const, packages: [], needs: [] }
    const yard = await openYard({
      files: { 'a.txt': 'a\n' },
      stories: [{ id: 'one', title: 'Say one' }],
      script: [{ story: 'one', do: [{ write: { 'b.txt': 'b\n' } }, commit('Add b'), { say: 'one' }] }],
      policy: { judges: [], checks: [{ ...fix, ...more }], mergeMethod: 'rebase' },
    })
    await yard.perform('CodeStory')
    await yard.perform('TidyStory')
    const { subjects } = await composed(yard)
    expect(subjects).toEqual(['Add b', 'Say one'])
  })

  const secret = `const apiKey = "${['f3Kq9ZbT1xVw', '8LmN2pRsY6h'].join('')}"\n`
  it.each<[string, unknown[], RegExp]>([
    [
      'the coder merged',
      [
        shell('git checkout -q -b side'),
        { write: { 'b.txt': 'b\n' } },
        commit('Add b'),
        shell('git checkout -q ropewalk'),
        { write: { 'c.txt': 'c\n' } },
        commit('Add c'),
        shell('git -c user.name=Coder -c user.email=c@d merge -q --no-edit side'),
      ],
      /\(Merge branch 'side'.*\) is a merge$/,
    ],
    [
      'a commit holds a file that is gone in the end',
      [{ write: { 'b.txt': 'b\n', '.env': 'x\n' } }, commit('Add b'), shell('rm .env'), commit('Oh')],
      /: \.env is in one of them, and not in what came of them$/,
    ],
    [
      'a commit holds a secret that is gone in the end',
      [
        { write: { 'b.js': secret } },
        commit('Add b'),
        { write: { 'b.js': 'const key = process.env.KEY\n' } },
        commit('Take it out'),
      ],
      /: what looks like a secret is in one of them \(b\.js\)$/,
    ],
    [
      'a commit holds a large file that is a small one in the end',
      [
        shell('head -c 3000000 /dev/zero | tr "\\0" x > b.txt'),
        commit('Add b'),
        { write: { 'b.txt': 'b\n' } },
        commit('Make it small'),
      ],
      /: b\.txt cannot be read in one of them, and is another file in the end$/,
    ],
    [
      'a commit holds what is no text, and is text in the end',
      [shell('head -c 100 /dev/zero > b.txt'), commit('Add b'), { write: { 'b.txt': 'b\n' } }, commit('Say it')],
      /: b\.txt cannot be read in one of them, and is another file in the end$/,
    ],
    [
      'a commit holds both sides of a conflict of the coder’s own',
      [
        { write: { 'b.txt': '<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n' } },
        commit('Add b'),
        { write: { 'b.txt': 'b\n' } },
        commit('Choose'),
      ],
      /: in one of them, and not in what came of them: .*\(b\.txt\)$/,
    ],
    [
      'a commit holds a link to a place outside',
      [shell('ln -s /etc/passwd b.txt'), commit('Add b'), shell('rm b.txt; echo b > b.txt'), commit('Copy it')],
      /: in one of them, and not in what came of them: .*\(b\.txt\)$/,
    ],
    [
      'a message holds a secret',
      [{ write: { 'b.txt': 'b\n' } }, commit(`Add b\n\n${secret.trim()}`), { write: { 'c.txt': 'c\n' } }],
      /: what looks like a secret is in the message of one of them$/,
    ],
    [
      'one of them does not fit by itself',
      [
        { write: { 'one.txt': 'two\n', 'b.txt': 'b\n' } },
        commit('Go there'),
        { write: { 'one.txt': 'one\n', 'b.txt': 'bb\n' } },
        commit('And back'),
      ],
      /: its commit [0-9a-f]{10} \(Go there\) does not fit onto the line by itself$/,
    ],
  ])('is one commit with a concern when %s', async (_name, acts, because) => {
    const { subjects, concerns, laid } = await composed(await waiting(acts))
    expect(subjects).toEqual(['Say two'])
    expect(laid[0]!.parents).toHaveLength(1)
    expect(concerns).toHaveLength(1)
    expect(concerns[0]).toMatch(/^it is one commit, and not the commits that its coder made: /)
    expect(concerns[0]).toMatch(because)
  })

  it('is one commit with a concern after a conflict, and no marker is in any commit', async () => {
    const yard = await openYard({
      files: { 'a.txt': 'a\n' },
      stories: [
        { id: 'one', title: 'Say one' },
        { id: 'two', title: 'Say two' },
      ],
      script: [
        { story: 'one', do: [{ write: { 'a.txt': 'one\n' } }, { say: 'one' }] },
        { story: 'two', do: [{ write: { 'a.txt': 'two\n' } }, commit('Say it'), { say: 'two' }] },
        { story: 'two', do: [{ write: { 'a.txt': 'one\ntwo\n' } }, commit('Say both'), { say: 'two' }] },
      ],
      policy: { judges: [], checks: [], mergeMethod: 'rebase' },
    })
    for (const verb of ['CodeStory', 'CodeStory', 'ComposeLine', 'AdvanceLine', 'ComposeLine', 'CodeStory'] as const)
      await yard.perform(verb)
    const { subjects, concerns } = await composed(yard)
    expect(subjects).toEqual(['Say two'])
    expect(concerns).toEqual([expect.stringMatching(/: a conflict with the line had to be settled$/)])
  })
})

it('a story is merged as one commit when the settings have changed to merges since it was coded', async () => {
  const yard = await waiting([{ write: { 'b.txt': 'b\n' } }, commit('Add b'), { write: { 'c.txt': 'c\n' } }])
  const state = await yard.state()
  await yard.tell({ type: 'PolicyPinned', policy: { ...policyOf(state), mergeMethod: 'merge' }, hash: 'x' })
  const { laid, ending } = await composed(yard)
  expect(laid[0]!.parents).toHaveLength(2)
  const side = await yard.repository.commits({ from: state.line.target, to: laid[0]!.parents[1]!, limit: 9 })
  expect(side.map(({ message }) => message.split('\n', 1)[0])).toEqual(['Say two'])
  expect(await yard.repository.listFiles(ending.commit)).toContain('c.txt')
})

describe('its landing', () => {
  it('brings all of them, and the proof is noted on the last', async () => {
    const yard = await waiting([{ write: { 'b.txt': 'b\n' } }, commit('Add b'), { write: { 'c.txt': 'c\n' } }])
    for (const verb of ['ComposeLine', 'AdvanceLine', 'Land'] as const) await yard.perform(verb)
    expect(git(yard.user, 'log', '--reverse', '--format=%s', 'main').split('\n')).toEqual([
      'Begin',
      'Say one',
      'Add b',
      'Say two',
    ])
  })
})
