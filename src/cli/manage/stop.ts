import { counted } from '../../views/step-text.ts'
import { decideWith } from '../answer/decision.ts'
import { exitCodes } from '../exit-code.ts'
import { bold, table } from '../show/line.ts'
import { type Cli, deliveryArgument, deliveryOption, verb } from '../verb.ts'

const words = {
  says: 'end a delivery; what is merged stays, and unfinished work is kept',
  takes: deliveryArgument,
  options: {
    ...deliveryOption,
    '--because <reason>': 'stays on record',
    '--now': 'end its processes at once, without waiting for its driver',
    '--all': 'end every open delivery of this machine at once',
  },
}

/** Ends a delivery before its time: by its driver, or here when it has none. What was merged stays, what was done is kept. */
export const stopVerb = verb(words, async (cli, _, options) => {
  const { delivery, because = 'stopped by the operator', now, all } = options
  if (all) return await stopAll(cli, because)
  const code = await decideWith(cli, { delivery, resume: true }, { kind: 'stop', because, now })
  return code === exitCodes.operator ? exitCodes.done : code
})

async function stopAll({ desk, screen }: Cli, because: string): Promise<number> {
  const stopped = await desk.stopAll(because)
  const cells = () => stopped.map(({ delivery, killed, said }) => [bold(delivery), processes(killed), said])
  screen.show(stopped, () => (stopped.length === 0 ? ['No delivery is open.'] : table(cells())))
  return exitCodes.done
}

const processes = (killed: number): string => `${counted(killed, 'process', 'processes')} ended`
