import type { DecidingOptions } from '../decide.ts'
import { decideWith } from '../decide.ts'
import type { Cli } from '../world.ts'

export interface WaiveOptions extends DecidingOptions {
  because: string
}

/** A human lets an inspection's finding pass, on record. What a check proved cannot be waived. */
export async function waive(cli: Cli, [story, fingerprint]: [string, string], options: WaiveOptions): Promise<number> {
  return await decideWith(cli, options, (state) => {
    const known = state.stories[story]?.findings.map((finding) => finding.fingerprint) ?? []
    const [only, ...others] = known.filter((one) => one.startsWith(fingerprint))
    const whole = only !== undefined && others.length === 0 ? only : fingerprint
    const { because } = options
    const intent = { type: 'WaiveFinding', story, fingerprint: whole, because, by: cli.world.user } as const
    return { intent, said: `Waived ${whole} of ${story}` }
  })
}
