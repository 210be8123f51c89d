import { setTimeout as sleep } from 'node:timers/promises'
import { deleteFiles, patchFiles, replaceText, runScriptLine, writeFiles, writeResult } from './edit.ts'
import type { Action, ScriptEntry } from './script.ts'
import type { ActOutcome, PlayEnding, Stage } from './stage.ts'

/** Plays an entry's actions in order until one of them ends the turn, or a limit does. */
export async function play(entry: ScriptEntry, stage: Stage, name: string): Promise<PlayEnding> {
  for (const [index, action] of entry.do.entries()) {
    const [key] = Object.keys(action) as [keyof Action]
    const ending = cutNow(stage) ?? (await act(key, action, stage)) ?? cutNow(stage)
    if (ending?.type === 'wrong') return { ...ending, problem: `${name}, do ${index + 1}, ${key}: ${ending.problem}` }
    if (ending !== null) return ending
  }
  return { type: 'exited', code: 0 }
}

function cutNow(stage: Stage): PlayEnding | null {
  const by = stage.cutBy()
  return by === null ? null : { type: 'cut', by }
}

/** What changes files or runs something is shown as the use of a tool. */
async function act(key: keyof Action, action: Action, stage: Stage): Promise<PlayEnding | null> {
  const perform = () => (acts[key] as Act<unknown>)(action[key], stage)
  return tools.has(key) ? asTool(key, JSON.stringify(action[key]), { stage, perform }) : endingOf(await perform())
}

async function asTool(name: string, detail: string, { stage, perform }: Performance): Promise<PlayEnding | null> {
  const id = `scripted-${++stage.toolCalls}`
  void stage.turn.onEvent({ type: 'tool-started', id, name, detail: detail.slice(0, longestDetail) })
  const outcome = await perform()
  void stage.turn.onEvent({ type: 'tool-ended', id, ok: outcome === null, output: null })
  return endingOf(outcome)
}

interface Performance {
  stage: Stage
  perform: () => Promise<ActOutcome>
}

const endingOf = (outcome: ActOutcome): PlayEnding | null => (outcome === 'red' ? null : outcome)

const longestDetail = 200
const tools = new Set<keyof Action>(['write', 'replace', 'patch', 'delete', 'shell'])

type Act<Value> = (value: Value, stage: Stage) => Promise<ActOutcome>

const acts: { [Key in keyof Action]-?: Act<NonNullable<Action[Key]>> } = {
  write: async (files, stage) => edited(() => writeFiles(files, stage)),
  replace: async (edit, stage) => edited(() => replaceText(edit, stage)),
  patch: patchFiles,
  delete: async (paths, stage) => edited(() => deleteFiles(paths, stage)),
  shell: runScriptLine,
  async say(text, stage) {
    stage.say(text)
    return null
  },
  async sleep(ms, stage) {
    await sleep(ms, null, { signal: stage.signal }).catch(() => {})
    return null
  },
  async usage({ usd, ...usage }, stage) {
    stage.spent.inputTokens += usage.inputTokens
    stage.spent.outputTokens += usage.outputTokens
    stage.spent.cachedTokens += usage.cachedTokens
    stage.spent.usd += usd
    void stage.turn.onEvent({ type: 'usage', usage })
    return null
  },
  result: async (value, stage) => edited(() => writeResult(value, stage)),
  ask: async (question) => ({ type: 'asked', question: { ...question, permission: null } }),
  async limit({ resetsAt, resetsInMs, kind }, stage) {
    const at = resetsAt !== undefined ? Date.parse(resetsAt) : resetsInMs !== undefined ? Date.now() + resetsInMs : null
    void stage.turn.onEvent({ type: 'limit', resetsAt: at })
    return { type: 'limited', kind, resetsAt: at }
  },
  exit: async (code) => ({ type: 'exited', code }),
  crash: async (signal) => ({ type: 'killed', signal }),
  async hang(_, stage) {
    if (stage.cutBy() === null) await new Promise((resolve) => stage.signal.addEventListener('abort', resolve))
    return null
  },
}

/** A path that cannot be written is the script's mistake. */
function edited(edit: () => ActOutcome): ActOutcome {
  try {
    return edit()
  } catch (error) {
    return { type: 'wrong', problem: (error as Error).message }
  }
}
