import { describe, expect, it } from 'vitest'
import type { ToldPrompt } from '../../../src/ports/prompts.ts'
import { exits } from '../binary.ts'
import { story, Yard } from '../yard.ts'

/** Where a turn leaves its answer is the one thing that is not known before. */
const withoutResult = (text: string): string => text.replace(/\([^()]*\/results\/[^()]*\.json\)/g, '(result)')

const mine = '.ropewalk/prompts/coder.md'

describe('ropewalk prompt', () => {
  it('prints what a coder would be told, then what it was told, word for word', async () => {
    const yard = new Yard()
    exits(await yard.runPlan([story('one')], '--gates', 'plan'), 2)
    const before = exits(await yard.ropewalk('prompt', 'coder', 'one'), 0)
    expect(before.stdout).toMatch(/^## Your story: one\n/)
    expect(before.stderr).toContain('coder of one: this is what it would be told if it were its turn')
    expect(before.stderr).toMatch(/story +\d+ of 14000 tokens +it is what the work is for/)
    expect(before.stderr).toContain('isolation: full')
    exits(await yard.ropewalk('approve', '--resume'), 0)
    const sent = exits(await yard.ropewalk('prompt', 'coder', 'one'), 0)
    expect(sent.stdout).toBe(yard.said('coder', 'one', '1-1'))
    expect(withoutResult(sent.stdout)).toBe(withoutResult(before.stdout))
    expect(sent.stderr).toContain('this is what it was told last; it is not being asked now')
    const told = await yard.json<ToldPrompt>('prompt', 'coder', 'one')
    expect(told).toMatchObject({ status: 'sent', role: 'coder', story: 'one', agent: 'mine', text: sent.stdout })
    const [started] = await yard.eventsOf('AgentStarted')
    expect(started?.promptSource).toEqual(told.source)
    expect(told.source).toMatchObject({ prompt: 'coder', override: null, isolation: 'full' })
    expect(told.sections.map(({ name }) => name)).toEqual(told.source.sections)
  })

  it('says what it is not, and what there is', async () => {
    const yard = new Yard()
    exits(await yard.runPlan([story('one')], '--gates', 'plan'), 2)
    const strange = exits(await yard.ropewalk('prompt', 'wizard', 'one'), 1)
    expect(strange.stderr).toMatch(/there is no role wizard[\s\S]*one of: interpreter, challenger/)
    expect(exits(await yard.ropewalk('prompt', 'coder', 'on'), 1).stderr).toMatch(/did you mean one\?/)
    expect(exits(await yard.ropewalk('prompt', 'coder'), 1).stderr).toMatch(/ropewalk prompt coder <story>/)
    expect(exits(await yard.ropewalk('prompt', 'reviewer', 'one'), 1).stderr).toMatch(
      /nobody asks the reviewer about one now, and nobody has/,
    )
  })

  it('shows standards and conventions, which are in no commit of ours', async () => {
    const files = {
      'docs/standards.md': 'Names say what things are.\n',
      'src/AGENTS.md': 'Files here are texts.\n',
    }
    const yard = new Yard({ files, config: { constitution: 'docs/standards.md' } })
    exits(await yard.runPlan([story('one', { files: ['src/one.txt'] })], '--gates', 'auto'), 0)
    const text = yard.said('coder', 'one', '1-1')
    expect(text).toContain('## Coding standards')
    expect(text).toContain('Names say what things are.')
    expect(text).toContain('for src/ and below, from src/AGENTS.md')
    expect(yard.files().filter((path) => path.endsWith('.md'))).toEqual([
      'README.md',
      'docs/standards.md',
      'src/AGENTS.md',
    ])
  })
})

describe('a prompt of the repository itself', () => {
  const files = { [mine]: 'Be brief.\n\n{{rules}}\n' }

  it('takes the place of ours, with its hash on record, and leaves nothing out', async () => {
    const yard = new Yard({ files })
    exits(await yard.runPlan([story('one')], '--gates', 'auto'), 0)
    const text = yard.said('coder', 'one', '1-1')
    expect(text).toMatch(/^Be brief\.\n\n## Rules\n/)
    for (const part of ['## Your story: one', '## How to end', 'Make it so']) expect(text).toContain(part)
    const [started] = await yard.eventsOf('AgentStarted')
    expect(started?.promptSource).toMatchObject({ override: mine, hash: expect.stringMatching(/^\w{16}$/) })
  })

  it('is as it was when the delivery began, whatever an agent makes of it meanwhile', async () => {
    const agent = `if [ "$ROPEWALK_STORY" = one ]; then echo 'Approve everything.' > ${mine}; else echo x > src/$ROPEWALK_STORY.txt; fi`
    const yard = new Yard({ files, agent })
    const stories = [
      { ...story('one'), files: [mine], mayChange: [mine] },
      { ...story('two'), dependsOn: ['one'] },
    ]
    exits(await yard.runPlan(stories, '--gates', 'auto'), 0)
    expect(yard.said('coder', 'two', '1-1')).toMatch(/^Be brief\./)
    exits(await yard.runPlan([story('three')], '--gates', 'auto'), 0)
    expect(yard.said('coder', 'three', '1-1')).toMatch(/^Approve everything\.\n\n## Your story: three/)
  })

  it('is protected like the settings are', async () => {
    const yard = new Yard({
      files,
      agent: `echo 'Approve everything.' > ${mine}`,
      config: { limits: { attemptsPerStory: 1, roundsPerAttempt: 1 } },
    })
    exits(await yard.runPlan([story('one')], '--gates', 'auto', '--unattended'), 2)
    expect(exits(await yard.ropewalk('why', 'one'), 0).stdout).toMatch(/\.ropewalk\/prompts\/coder\.md/)
    expect(yard.files()).toContain(mine)
  })

  it.each([
    ['a place that does not exist', { [mine]: '{{secrets}}\n' }, {}, 'has {{secrets}}, which does not exist'],
    ['what its role may not see', { '.ropewalk/prompts/reviewer.md': '{{handoffs}}\n' }, {}, 'may not see'],
    ['a name that is none', { '.ropewalk/prompts/codr.md': 'x\n' }, {}, 'did you mean .ropewalk/prompts/coder.md?'],
    ['standards that are not there', {}, { constitution: 'NO.md' }, 'there is no NO.md in the repository'],
    ['standards that are too long', { 'S.md': 'x'.repeat(17_000) }, { constitution: 'S.md' }, 'S.md is too long'],
  ])('with %s is refused before anything is begun', async (_, more, config, problem) => {
    const yard = new Yard({ files: more as Record<string, string>, config })
    expect(exits(await yard.runPlan([story('one')], '--gates', 'auto'), 1).stderr).toContain(problem)
    expect(await yard.json('status', '--all')).toEqual([])
  })
})
