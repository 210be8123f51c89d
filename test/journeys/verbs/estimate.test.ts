import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EstimateView } from '../../../src/views/estimate.ts'
import type { StatusView } from '../../../src/views/status.ts'
import { exits, until } from '../binary.ts'
import { story, Yard } from '../yard.ts'

type Estimate = EstimateView & { saved: string | null }

/** Plans two stories, and would code them. */
const planner = `
if [ "$ROPEWALK_ROLE" = planner ]; then
echo '{"outline":{"approach":"One by one.","runnerUp":{"approach":"At once.","lostBecause":"It is too much."}},"stories":[{"id":"first","title":"First","complexity":5},{"id":"second","title":"Second","complexity":1}],"usage":{"inputTokens":10,"outputTokens":5,"cachedTokens":0},"usd":0.25}' > "$ROPEWALK_RESULT"
else echo work > "src/$ROPEWALK_STORY.txt"; fi`

describe('estimate', () => {
  it('guesses by the words alone, asks nobody and begins nothing', async () => {
    const yard = new Yard({ agent: 'exit 1' })
    const text = 'Do this:\n- Fix a typo\n- Migrate the database'
    const view = await yard.json<Estimate>('estimate', '--quick', text, '--rate', '100')
    expect(view).toMatchObject({ basis: 'words', hours: 2.5, price: 250, saved: null, spentUsd: 0 })
    expect(view.stories.map(({ complexity }) => complexity)).toEqual([1, 3])
    const said = exits(await yard.ropewalk('estimate', '--quick', text), 0).stdout
    expect(said).toMatch(/2\.5 hours of a person's work; what agents cost is not known/)
    expect(said).toMatch(/goal-1 .* 0\.5 hours +not known/)
    expect(said).not.toContain('$0')
    expect(said).toMatch(/goal-2: touches data or versions/)
    expect(said).toMatch(/Nothing was started/)
    expect(await yard.json('status', '--all')).toEqual([])
  })

  it('takes the complexity of a plan that is there already', async () => {
    const yard = new Yard({ agent: 'exit 1' })
    const plan = join(yard.person, 'plan.yaml')
    writeFileSync(
      plan,
      JSON.stringify({ stories: [story('one', { complexity: 13 }), story('two', { complexity: 2 })] }),
    )
    expect(await yard.json('estimate', '--plan', plan)).toMatchObject({ basis: 'plan', hours: 17, price: null })
  })

  it('asks a planner otherwise, keeps what that cost, and leaves no delivery behind', async () => {
    const yard = new Yard({ agent: planner })
    const view = await yard.json<Estimate>('estimate', 'Make it so')
    expect(view).toMatchObject({ basis: 'planner', hours: 4.5, spentUsd: 0.25, saved: null })
    expect(await yard.json('status', '--all')).toEqual([])
    expect(await yard.json('inbox')).toEqual([])
    expect(exits(await yard.ropewalk('status'), 1).stderr).toMatch(/no delivery yet/)
    expect(yard.files()).not.toContain('src/first.txt')
  })

  it('keeps the plan as a delivery if it is to be saved', async () => {
    const yard = new Yard({ agent: planner })
    const { saved } = await yard.json<Estimate>('estimate', 'Make it so', '--save')
    expect(await yard.json<StatusView>('status')).toMatchObject({ delivery: saved, word: 'waiting', usd: 0.25 })
    exits(await yard.ropewalk('approve', '--resume'), 0)
    expect(yard.files()).toEqual(expect.arrayContaining(['src/first.txt', 'src/second.txt']))
  })

  it('that was killed is ended by whatever is begun here, with what it left running', async () => {
    const yard = new Yard({
      agent: `[ -e "$HOME/go" ] || { echo $$ > "$HOME/begun"; exec sleep 600; }\n${planner}`,
    })
    const killed = yard.start(['estimate', 'Make it so'])
    const begun = join(yard.person, 'begun')
    const pid = await until(() => existsSync(begun) && Number(readFileSync(begun, 'utf8')))
    killed.child.kill('SIGKILL')
    await killed.done
    expect(existsSync(`/proc/${pid}`)).toBe(true)
    writeFileSync(join(yard.person, 'go'), '')
    exits(await yard.runPlan([story('one')], '--gates', 'auto'), 0)
    // Whoever adopted it may take a moment to notice its end.
    await until(() => !existsSync(`/proc/${pid}`))
    const completed = (await yard.events('estimate.')).filter(({ event }) => event.type === 'DeliveryCompleted')
    expect(completed).toMatchObject([{ event: { result: 'stopped', reason: 'its process was killed' } }])
    expect(await yard.json('estimate', 'Make it so')).toMatchObject({ basis: 'planner' })
  })

  it('says why there is no plan to estimate', async () => {
    const yard = new Yard({ agent: 'echo "No idea."' })
    expect(exits(await yard.ropewalk('estimate', 'Make it so'), 2).stdout).toMatch(/There is no plan to estimate/)
    expect(await yard.json('status', '--all')).toEqual([])
  })

  it('refuses what makes no sense', async () => {
    const yard = new Yard()
    for (const [args, said] of [
      [[], /no requirement was given/],
      [['--quick', ''], /requirement is empty/],
      [['--quick', 'How does it work?'], /asks for an answer/],
      [['--quick', 'x', '--rate', 'much'], /is not a price/],
      [['--quick', 'x', '--rate', '-1'], /is not a price/],
      [['x', '--plan', 'p.yaml'], /--plan and a requirement cannot be used together/],
      [['--quick', '--save', 'x'], /--quick and --save cannot be used together/],
      [['--plan', 'nowhere.yaml'], /does not exist/],
    ] as const)
      expect(exits(await yard.ropewalk('estimate', ...args), 1).stderr).toMatch(said)
  })
})
