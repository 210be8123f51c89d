import type { LeftWork } from '../../desk/travel/unlock.ts'
import type { Salvaged } from '../../desk/world.ts'
import { counted } from '../../views/step-text.ts'
import { bold, dim, type ShownLine, table } from '../show/line.ts'
import { dateText } from '../show/time.ts'
import { deliveryArgument, deliveryOption, verb } from '../verb.ts'

const words = {
  says: 'release a delivery whose driver is gone',
  takes: deliveryArgument,
  options: {
    ...deliveryOption,
    '--force': 'even if its lease has not expired',
    '--salvage': 'repair a damaged log: keep its intact part, and the damaged file beside it',
  },
}

/** Takes a delivery from a driver that is gone; or makes a damaged log usable again. */
export const unlockVerb = verb(words, async ({ desk, screen }, _, options) => {
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
  return 0
})

function reportLines(report: Salvaged): ShownLine[] {
  if (report.status === 'intact') return ['The log is intact; nothing was changed.']
  const { deliveries, damagedFile } = report
  const rows = deliveries.map(({ delivery, kept, lost, problem }) => [
    delivery,
    `${kept} kept`,
    lost === 0 ? '' : `${lost ?? 'some'} lost`,
    dim(problem ?? ''),
  ])
  return [
    deliveries.length === 0
      ? 'There is a log again; no event could be kept.'
      : 'The log is usable again; every event of the intact part is in it.',
    ...table(rows, '  '),
    ...(damagedFile === null ? [] : [`What was there is kept as ${damagedFile}.`]),
  ]
}

function leftLines(left: LeftWork[]): ShownLine[] {
  if (left.length === 0) return []
  return [
    'The log knows nothing of these deliveries. What is here of them stays, and can be looked at with git:',
    ...left.flatMap(({ delivery, commits, folders }): ShownLine[] => [
      [bold(`  ${delivery}`)],
      ...commits.flatMap(({ clone, refs }) => [
        `    ${counted(refs.length, 'ref', 'refs')}: git --git-dir ${clone} log ${refs.find((ref) => ref.endsWith('/line')) ?? refs[0]}`,
      ]),
      ...folders.map((folder) => `    ${folder}`),
    ]),
    'To have such work proven and landed, start another delivery, and name these commits in its requirement.',
  ]
}
