import type { Adoption } from '../../desk/travel/adopt.ts'
import type { LeftWork } from '../../desk/travel/unlock.ts'
import type { Salvaged } from '../../desk/world.ts'
import { TerminalError } from '../../ports/errors.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import type { CommandView } from '../../views/commands.ts'
import { counted } from '../../views/step-text.ts'
import { agreed } from '../answer/ask.ts'
import { exitCodes } from '../ending.ts'
import { readGiven } from '../given.ts'
import { bold, dateText, dim, type ShownLine, tableUnder } from '../show/line.ts'
import { type Cli, deliveryArgument, deliveryOption, verb } from '../verb.ts'

const exporting = {
  says: 'print a delivery as JSON lines',
  takes: deliveryArgument,
  options: { ...deliveryOption, '--bundle <file>': 'also write its commits to this file' },
}

/** A whole delivery as JSON lines, one for each event and one that says how many; `import` takes them back. */
export const exportVerb = verb(exporting, async ({ desk, screen }, _, { delivery, bundle }) => {
  const { events, end } = await desk.exportDelivery(delivery, bundle)
  for (const recorded of events) screen.emit(recorded)
  screen.emit({ end })
})

const importing = {
  says: 'add an exported delivery to this log, to look at it',
  takes: { '<file>': '' },
  options: { '--bundle <file>': 'also import its commits, into our own clone of this repository' },
}

/** Takes an exported delivery into this log, to be looked at. */
export const importVerb = verb(importing, async ({ desk, screen, cwd }, [file], { bundle }) => {
  const { delivery, events } = await desk.importDelivery({ given: await readGiven(cwd, file!), bundle })
  screen.show({ delivery, events, adopted: false }, () => [
    `Imported ${delivery} with ${events} events. See it with \`ropewalk status --delivery ${delivery}\`.`,
    `Nothing of it runs. To continue it here: \`ropewalk adopt ${delivery}\`, which first shows what would run.`,
  ])
})

const adopting = {
  says: 'continue an imported delivery here with the settings of this repository; first shows what would run',
  takes: { '<delivery>': 'its id, or the beginning of it' },
  options: { '--bundle <file>': 'its commits, if they were not imported', '--yes': 'do not ask' },
}

/** A human continues an imported delivery here, once they have seen what runs. */
export const adoptVerb = verb(adopting, async (cli, [name], { bundle, yes }) => {
  const { desk, screen } = cli
  const shown = async (adoption: Adoption): Promise<boolean> => {
    if (!screen.json) screen.print(...adoptionLines(adoption))
    return yes || (await asked(cli, adoption))
  }
  const { delivery, adopted, runs, repository } = await desk.adopt(name!, { bundle, agreed: shown })
  if (!adopted) return exitCodes.human
  screen.show({ delivery, adopted, runs }, () => [
    `Adopted, with the settings of ${repository}. Continue it with \`ropewalk resume ${delivery}\`.`,
  ])
})

async function asked({ screen }: Cli, { delivery }: Adoption): Promise<boolean> {
  if (screen.interactive) return await agreed('Continue it here?')
  throw new TerminalError(
    `${delivery} was not adopted: nobody can be asked here`,
    `read what would run, then confirm it: ropewalk adopt ${delivery} --yes`,
  )
}

const adoptionLines = ({ delivery, requirement, ran, runs, planned }: Adoption): ShownLine[] => [
  [bold(delivery), `  ${oneLine(requirement, 200)}`],
  'Where it came from, it ran these commands. None of them will run:',
  ...rows(ran),
  "With this repository's settings, it will run:",
  ...rows(runs),
  ...(planned.length === 0 ? [] : ['And, by the plan as it was imported:', ...rows(planned)]),
  dim('Earlier verdicts do not count here: all work that has not landed is judged again.'),
]

const rows = (commands: CommandView[]): ShownLine[] =>
  commands.length === 0 ? ['  nothing'] : tableUnder(commands, ({ what, run }) => [what, oneLine(run, 500)])

const unlocking = {
  says: 'release a delivery whose driver is gone',
  takes: deliveryArgument,
  options: {
    ...deliveryOption,
    '--force': 'even if its lease has not expired',
    '--salvage': 'repair a damaged log: keep its intact part, and the damaged file beside it',
  },
}

/** Takes a delivery from a driver that is gone; or makes a damaged log usable again. */
export const unlockVerb = verb(unlocking, async ({ desk, screen }, _, options) => {
  if (options.salvage) {
    const report = await desk.salvage()
    screen.show(report, () => [...reportLines(report), ...leftLines(report.left)])
    return 0
  }
  const how = { force: options.force, timeText: dateText }
  const { delivery, broken } = await desk.unlock(options.delivery, how)
  screen.show({ delivery, broken }, () => [
    broken === null
      ? `No process is driving ${delivery}, so there was nothing to unlock.`
      : `Taken from process ${broken.pid} on ${broken.host}. Continue with \`ropewalk resume\`.`,
  ])
})

function reportLines(report: Salvaged): ShownLine[] {
  if (report.status === 'intact') return ['The log is intact; nothing was changed.']
  const { deliveries, damagedFile } = report
  return [
    deliveries.length === 0
      ? 'There is a log again; no event could be kept.'
      : 'The log is usable again; every event of the intact part is in it.',
    ...tableUnder(deliveries, ({ delivery, kept, lost, problem }) => [
      ...[delivery, `${kept} kept`, lost === 0 ? '' : `${lost ?? 'some'} lost`, dim(problem ?? '')],
    ]),
    ...(damagedFile === null ? [] : [`What was there is kept as ${damagedFile}.`]),
  ]
}

function leftLines(left: LeftWork[]): ShownLine[] {
  if (left.length === 0) return []
  return [
    'The log knows nothing of these deliveries. What is here of them stays, and can be looked at with git:',
    ...left.flatMap(({ delivery, commits, folders }) => [
      bold(`  ${delivery}`),
      ...commits.map(({ clone, refs }) => {
        const line = refs.find((ref) => ref.endsWith('/line')) ?? refs[0]
        return `    ${counted(refs.length, 'ref')}: git --git-dir ${clone} log ${line}`
      }),
      ...folders.map((folder) => `    ${folder}`),
    ]),
    'To have such work proven and landed, start another delivery, and name these commits in its requirement.',
  ]
}
