import { counted } from '../../views/step-text.ts'
import { decideWith } from '../answer/decision.ts'
import { type Cli, type DeliveryOption, nameIn } from '../cli.ts'
import { exitCodes } from '../exit-code.ts'
import { bold, table } from '../show/line.ts'

interface StopOptions extends DeliveryOption {
  because?: string
  now?: boolean
  all?: boolean
}

/** Ends a delivery before its time: by its driver, or here when it has none. What was merged stays, what was done is kept. */
export async function stopVerb(cli: Cli, given: string[], options: StopOptions): Promise<number> {
  const { because = 'stopped by the operator', now, all } = options
  if (all === true) return await stopAll(cli, because)
  const delivery = nameIn(given, options)
  const about = { resume: true, ...(delivery === undefined ? {} : { delivery }) }
  const code = await decideWith(cli, about, { kind: 'stop', because, now: now === true })
  return code === exitCodes.operator ? exitCodes.done : code
}

async function stopAll({ desk, screen }: Cli, because: string): Promise<number> {
  const stopped = await desk.stopAll(because)
  const cells = () => stopped.map(({ delivery, killed, said }) => [bold(delivery), processes(killed), said])
  screen.show(stopped, () => (stopped.length === 0 ? ['No delivery is open.'] : table(cells())))
  return exitCodes.done
}

const processes = (killed: number): string => `${counted(killed, 'process', 'processes')} ended`
