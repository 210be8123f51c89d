import { setTimeout as wait } from 'node:timers/promises'
import type { ClientContext } from '@agentclientprotocol/sdk'
import type { AgentTurn } from '../../../ports/agent-driver.ts'
import type { StandardInput } from '../../../ports/shell.ts'
import type { KnownAgent } from '../known-agents.ts'
import { asObject } from '../told/json.ts'
import { openUpdates } from '../told/updates.ts'
import { converse, mayIt, type Said, stop, type Talk, thinkAgain } from './converse.ts'
import { Refused } from './session.ts'
import { openWire, type Wire, WireClosed } from './wire.ts'

export interface Conversation {
  /** Begins as soon as there is somebody to talk to. */
  input(stdin: StandardInput): void
  onLine(line: string): void
  isWaiting(): boolean
  /** Everything has been said. */
  done: Promise<void>
  /** Asks the agent to stop. */
  cancel(): void
  /** When the agent is gone. Rejects only for what is not the agent's doing. */
  over(): Promise<Said>
}

/** One prompt, from the first greeting to the answer. */
export async function openConversation(turn: AgentTurn, known: KnownAgent): Promise<Conversation> {
  const { client } = await import('@agentclientprotocol/sdk')
  const { talk, done } = openTalk(turn, known)
  let wire: Wire | null = null
  let talking: Promise<void> = Promise.resolve()
  return {
    input(stdin) {
      wire = openWire(stdin, {
        onUpdate(update) {
          talk.heardAt = Date.now()
          talk.updates.hear(update)
        },
        onAfterthought: (error) => thinkAgain(talk, error),
      })
      const app = client().onRequest(
        'session/request_permission',
        (params) => asObject(params) ?? {},
        ({ params }) => mayIt(talk, params),
      )
      talking = talkWith(talk, app.connect(wire.stream).agent, stdin)
      // Looked at when the agent is gone; until then it must not count as unhandled.
      talking.catch(() => {})
    },
    onLine: (line) => wire?.hear(line),
    isWaiting: () => talk.updates.isToolRunning(),
    done,
    cancel: () => stop(talk),
    async over() {
      // What is in the wire already still counts.
      await wait(0)
      wire?.close()
      await talking
      const { said, afterthought } = talk
      const ending = afterthought === null ? said.ending : { error: afterthought }
      return { ...said, ending, ...talk.updates.told() }
    },
  }
}

function openTalk(turn: AgentTurn, known: KnownAgent): { talk: Talk; done: Promise<void> } {
  let end = (): void => {}
  const done = new Promise<void>((resolve) => {
    end = resolve
  })
  const updates = openUpdates(turn.prompt.length, (event) => void turn.onEvent(event))
  const said = { ending: null, session: turn.session, model: turn.model, asked: null }
  return {
    talk: { turn, known, updates, said, agent: null, isPrompted: false, heardAt: 0, afterthought: null, end },
    done,
  }
}

async function talkWith(talk: Talk, agent: ClientContext, stdin: StandardInput): Promise<void> {
  talk.agent = agent
  try {
    await converse(talk, agent)
  } catch (error) {
    if (error instanceof Refused) talk.said.ending = { error: error.error }
    else if (!(error instanceof WireClosed)) throw error
  } finally {
    talk.updates.finish()
    stdin.end()
    talk.end()
  }
}
