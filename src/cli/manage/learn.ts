import { rmSync } from 'node:fs'
import { book, setAside } from '../../engine/book.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { Learning, LearnRequest, Lesson } from '../../ports/memory/learning.ts'
import { type Pass, passes, type Remembered } from '../../ports/memory/memory.ts'
import { ownSearchId } from '../../ports/proofs/search-id.ts'
import { nearest } from '../../std/nearest.ts'
import { usdText } from '../../views/step-text.ts'
import { ledgerId } from '../choose-delivery.ts'
import { onInterrupt } from '../deliver/interrupt.ts'
import { exitCodes } from '../exit-code.ts'
import { freshDeliveryId } from '../prepare/delivery-id.ts'
import { requireHome } from '../prepare/home.ts'
import { openLedger, type Subject } from '../prepare/ledger.ts'
import { preflight, readEverything } from '../prepare/preflight.ts'
import { learnedLines } from '../show/lines/learned-lines.ts'
import { meanwhile } from '../show/meanwhile.ts'
import type { Cli } from '../world.ts'

export interface LearnOptions {
  model?: boolean
  only?: string
  force?: boolean
  show?: boolean
}

/** Learns about the repository here, for the prompts of later deliveries. */
export async function learn(cli: Cli, options: LearnOptions): Promise<number> {
  const wanted = passesOf(options)
  requireHome(cli.world.home)
  const learning = await cli.world.learning(cli.cwd)
  if (options.show === true) return show(cli, await learning.recall())
  const force = options.force === true
  const lesson = wanted.includes('model')
    ? await withModel(cli, learning, { passes: wanted, force })
    : await learning.learn({ commit: await tipOf(cli), passes: wanted, force, by: null })
  if (lesson === null) return exitCodes.operator
  if (cli.screen.json) cli.screen.emit(lesson)
  else cli.screen.print(...learnedLines(lesson.remembered, lesson.anew), ...cost(lesson))
  return 0
}

function passesOf({ model, only, show }: LearnOptions): Pass[] {
  if (show === true && (model === true || only !== undefined))
    throw new TerminalError('--show learns nothing', 'leave it out to learn')
  if (only === undefined) return passes.filter((pass) => pass !== 'model' || model === true)
  if (model === true && only !== 'model')
    throw new TerminalError('--model and --only both say what to do', 'name one of them')
  const found = passes.find((pass) => pass === only)
  if (found !== undefined) return [found]
  const meant = nearest(only, passes)
  throw new TerminalError(
    `there is no pass "${only}"`,
    meant === null ? `one of: ${passes.join(', ')}` : `did you mean ${meant}?`,
  )
}

function show({ screen }: Cli, remembered: Remembered | null): number {
  if (screen.json) screen.emit(remembered)
  else if (remembered === null) screen.print('Nothing was learned about this repository yet: `ropewalk learn`.')
  else screen.print(...learnedLines(remembered, []))
  return 0
}

/** What is on the target counts: it is what deliveries begin with. */
const tipOf = async (cli: Cli): Promise<string> => (await readEverything(cli, {}, cli.world.home)).layered.base

/** Null: the person would rather stop. */
async function withModel(
  cli: Cli,
  learning: Learning,
  request: Pick<LearnRequest, 'passes' | 'force'>,
): Promise<Lesson | null> {
  const { policy, base, repository } = await preflight(cli, { unattended: true }, cli.world.home)
  const agent = policy.roles.interpreter[0] ?? policy.roles.planner[0]
  if (agent === undefined)
    throw new TerminalError(
      'nobody is there who could read it',
      'name an agent under roles.interpreter in ropewalk.yaml',
    )
  const interrupt = onInterrupt({
    first: () => cli.screen.warn('Interrupted: ending what is running.'),
    again: () => {},
  })
  const { begin, spent, close } = ledger(cli, { repository, base, policy }, agent)
  const by = { policy, agent, signal: interrupt.signal, begin, spent }
  const reading = learning.learn({ commit: base, ...request, by })
  const [read] = await Promise.allSettled([meanwhile(cli.screen, `${agent} reads the repository …`, reading)])
  interrupt.close()
  await close()
  await tidyUp(cli, learning)
  if (read.status === 'fulfilled') return read.value
  if (interrupt.signal.aborted) return null
  throw read.reason
}

/** What it costs counts for the ceilings of the day, as what deliveries cost does. */
function ledger(cli: Cli, about: Pick<Subject, 'repository' | 'base' | 'policy'>, agent: string) {
  const delivery = ledgerId('learn', freshDeliveryId(''))
  let close = async () => {}
  return {
    begin: async () => {
      await openLedger(cli, { delivery, text: 'Learn about this repository', ...about })
      const aside = await setAside(await cli.world.engine(() => {}), { delivery, policy: about.policy, agent })
      if (aside.status === 'reached')
        throw new TerminalError(
          `nobody is asked: the ceiling is reached: ${aside.ceiling}`,
          'raise it under ceilings in ropewalk.yaml, or learn without --model',
        )
      close = aside.release
    },
    spent: async (turn: Parameters<typeof book>[2]) =>
      await book(await cli.world.intake(), { delivery, actor: cli.world.user }, turn),
    close: () => close(),
  }
}

/** What the reader had on disk. */
async function tidyUp({ world }: Cli, { repository }: Learning): Promise<void> {
  const folders = world.folders(ownSearchId())
  const clone = await (await world.repositories(world.home)).open(repository)
  await clone.removePlaces(folders.places)
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true })
}

const cost = ({ usd }: Lesson): string[] => (usd === null ? [] : [`It cost ${usdText(usd)}.`])
