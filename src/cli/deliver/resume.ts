import { type Cli, type DeliveryOption, nameIn } from '../cli.ts'
import { refuseBoth } from '../given.ts'
import { detach } from './detach.ts'
import { driveHere } from './go.ts'

interface ResumeOptions extends DeliveryOption {
  stay?: boolean
  detach?: boolean
  repin?: boolean
  attended?: boolean
  unattended?: boolean
  maxUsd?: string
}

/** Continues a delivery, whatever it was that ended the last drive. */
export async function resumeVerb(cli: Cli, given: string[], options: ResumeOptions): Promise<number> {
  const { attended, unattended, repin, maxUsd } = options
  refuseBoth({ '--attended': attended, '--unattended': unattended })
  const resumed = await cli.desk.resume(nameIn(given, options), {
    ...{ repin: repin === true, maxUsd },
    attended: attended === true ? true : unattended === true ? false : null,
  })
  const { delivery, driver } = resumed
  if (driver !== null) {
    cli.screen.show({ delivery, pid: driver.pid }, () => [
      `Resumed in process ${driver.pid}. Follow it with \`ropewalk watch\`.`,
    ])
    return 0
  }
  if (options.detach === true) return await detach(cli, delivery, resumed.folder)
  return await driveHere(cli, { delivery, stay: options.stay === true })
}
