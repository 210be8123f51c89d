import { TerminalError } from '../../ports/errors.ts'
import { type Pass, passes, type Remembered } from '../../ports/memory.ts'
import { nearest } from '../../std/nearest.ts'
import { shortId, usdText } from '../../views/step-text.ts'
import { exitCodes, interruptible } from '../ending.ts'
import { refuseBoth } from '../given.ts'
import { bold, dateText, dim, type ShownLine } from '../show/line.ts'
import { type Cli, type GivenOptions, verb } from '../verb.ts'

const options = {
  '--model': 'also let an agent read it',
  '--only <pass>': 'one pass only: static, history or model',
  '--force': 'learn again even if nothing has changed',
  '--show': 'only show what was learned',
}
const words = { says: 'learn about this repository, for the prompts of later deliveries', options }

/** Learns about the repository here, for the prompts of later deliveries. */
export const learnVerb = verb(words, async (cli, _, given) => {
  const { screen, desk } = cli
  refuseBoth({ '--show': given.show, '--model': given.model })
  refuseBoth({ '--show': given.show, '--only': given.only })
  if (given.show) return await show(cli)
  const asked = { passes: passesOf(given), force: given.force }
  const lesson = await interruptible(screen, (signal) => desk.learn({ ...asked, signal }))
  if (lesson === null) return exitCodes.operator
  const { remembered, anew, usd } = lesson
  screen.show(lesson, () => [...learnedLines(remembered, anew), ...(usd === null ? [] : [`It cost ${usdText(usd)}.`])])
})

async function show({ desk, screen }: Cli): Promise<number> {
  const remembered = await desk.learned()
  const none = 'Nothing has been learned about this repository yet: run `ropewalk learn`.'
  screen.show(remembered, () => (remembered === null ? [none] : learnedLines(remembered, [])))
  return exitCodes.done
}

function passesOf({ model, only }: GivenOptions<keyof typeof options>): Pass[] {
  if (only === undefined) return passes.filter((pass) => pass !== 'model' || model)
  if (only !== 'model') refuseBoth({ '--model': model, '--only': only })
  const found = passes.find((pass) => pass === only)
  if (found !== undefined) return [found]
  const meant = nearest(only, passes)
  throw new TerminalError(
    `there is no pass "${only}"`,
    meant === null ? `one of: ${passes.join(', ')}` : `did you mean ${meant}?`,
  )
}

/** What is known about a repository, and since when. */
function learnedLines(remembered: Remembered, anew: Pass[]): ShownLine[] {
  const known = passes.flatMap((pass): ShownLine[] => {
    const learned = remembered.passes[pass]
    if (learned === undefined) return []
    const { at, commit, facts } = learned
    const since = anew.includes(pass) ? 'just learned' : `since ${dateText(at)}`
    return [
      [bold(titles[pass]), dim(`  of ${shortId(commit)}, ${since}`)],
      ...facts.map(({ about, text }): ShownLine => [`  ${about}: `, text]),
      ...(facts.length === 0 ? [dim('  nothing')] : []),
    ]
  })
  return [...known, dim('Later prompts are told this, and that the files themselves count where they say otherwise.')]
}

const titles: Record<Pass, string> = {
  static: 'From the files',
  history: 'From the commits',
  model: 'By an agent that read it',
}
