import type { Policy } from '../delivery/policy.ts'
import type { DeliveryState } from '../delivery/state.ts'
import { storiesOf } from '../delivery/state.ts'

/** A command that is run for a delivery, and what for. */
export interface CommandView {
  what: string
  run: string
}

/** What settings have run, whoever wrote them. */
export function policyCommands({ setup, checks, workspace, agents }: Policy): CommandView[] {
  const all = [
    { what: 'set-up', run: setup?.run },
    ...checks.flatMap(({ name, run, fix, related }) => [
      { what: `check ${name}`, run },
      { what: `check ${name}, single tests`, run: related },
      { what: `fix ${name}`, run: fix },
    ]),
    ...workspace.services.flatMap(({ name, up, health, down }) => [
      { what: `service ${name}, up`, run: up },
      { what: `service ${name}, health`, run: health },
      { what: `service ${name}, down`, run: down },
    ]),
    ...Object.entries(agents).map(([name, { driver, options }]) => ({
      what: `agent ${name}`,
      run: started(driver, options),
    })),
  ]
  return all.flatMap(({ what, run }) => (run == null ? [] : [{ what, run }]))
}

/** What a plan has run, to tell whether its criteria are fulfilled. */
export const plannedCommands = (state: DeliveryState): CommandView[] =>
  storiesOf(state).flatMap(({ spec }) =>
    spec.proofs.flatMap((one) => ('run' in one ? [{ what: `criterion of ${spec.id}`, run: one.run }] : [])),
  )

const started = (driver: string, options: Record<string, unknown>): string =>
  Object.keys(options).length === 0 ? driver : `${driver} ${JSON.stringify(options)}`
