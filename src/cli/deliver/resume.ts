import type { ResumeAsked } from '../../desk/deliver.ts'
import { refuseBoth } from '../given.ts'
import { type Cli, deliveryArgument, deliveryOption, verb } from '../verb.ts'
import { detach } from './detach.ts'
import { driveHere } from './go.ts'

const words = {
  says: 'continue a delivery that was interrupted, paused or stopped, or that waits',
  takes: deliveryArgument,
  options: {
    ...deliveryOption,
    '--max-usd <amount>': 'the most that the whole delivery may cost from now on',
    '--repin': 'use the settings as they are now',
    '--attended': 'you are there now: ask instead of failing',
    '--unattended': 'nobody is there any more: a question makes the story fail instead',
    '--stay': 'keep waiting while only a human can help',
    '--detach': 'continue in the background',
  },
}

export const resumeVerb = verb(words, async (cli, _, options) => {
  const { delivery, attended, unattended, ...how } = options
  refuseBoth({ '--attended': attended, '--unattended': unattended })
  return await resumeHere(cli, delivery, { ...how, attended: attended ? true : unattended ? false : null })
})

const asItIs = { repin: false, maxUsd: undefined, attended: null, stay: false, detach: false }

/** Continues a delivery, whatever it was that ended the last drive. */
export async function resumeHere(
  cli: Cli,
  name: string | undefined,
  { detach: leaves, stay, ...asked }: ResumeAsked & { stay: boolean; detach: boolean } = asItIs,
): Promise<number> {
  const resumed = await cli.desk.resume(name, asked)
  const { delivery, driver } = resumed
  if (driver !== null) {
    cli.screen.show({ delivery, pid: driver.pid }, () => [
      `Resumed in process ${driver.pid}. Follow it with \`ropewalk watch\`.`,
    ])
    return 0
  }
  if (leaves) return await detach(cli, delivery, resumed.folder)
  return await driveHere(cli, { delivery, stay })
}
