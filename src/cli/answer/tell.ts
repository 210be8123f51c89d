import type { DeliveryState } from '../../delivery/state.ts'
import type { DecidingOptions } from '../decide.ts'
import { decideWith } from '../decide.ts'
import type { Cli } from '../world.ts'

/** A word to the agent that works on a story, or to the one that will. */
export async function tell(cli: Cli, [story, text]: [string, string], options: DecidingOptions): Promise<number> {
  const intent = { type: 'TellStory', story, text, by: cli.world.user } as const
  return await decideWith(cli, options, (state) => ({ intent, said: (driven) => saidOf(state, story, driven) }))
}

function saidOf(state: DeliveryState, story: string, driven: boolean): string {
  const atWork = Object.values(state.running).find(({ step }) => step.verb === 'CodeStory' && step.story === story)
  if (!driven || atWork?.step.verb !== 'CodeStory') return `Told ${story}: its next turn begins with it`
  return `Told ${story}: ${atWork.step.agent} is at work, is interrupted and goes on with it at once`
}
