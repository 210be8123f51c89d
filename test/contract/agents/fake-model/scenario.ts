// What the fake model says and does, step by step. A step is told by what the conversation already holds, never by
// counting calls: the number of tool results since the last prompt that names a scenario.
import type { Action } from './tools.ts'
import type { Asked, Said } from './wire.ts'

export interface Scenario {
  steps: Step[]
  /** Begins again after its last step, for ever. */
  isEndless?: boolean
}

export interface Step {
  say: string
  act?: Action
}

export interface Script {
  /** The scenario is played after a prompt that this fits. */
  on: RegExp | string
  scenario: Scenario
}

/** By the word SCENARIO:name in the prompt. */
export const scenarios: Record<string, Scenario> = {
  hello: { steps: [{ say: 'Hello.' }] },
  edit: {
    steps: [
      { say: 'I write the file.', act: { do: 'write', path: 'hello.txt', content: 'hello from fake\n' } },
      { say: 'I run a command.', act: { do: 'shell', command: 'echo shell-ok >> hello.txt; git status --short' } },
      { say: 'All done: hello.txt is written.' },
    ],
  },
  read: {
    steps: [{ say: 'I read the file.', act: { do: 'read', path: 'hello.txt' } }, { say: 'I have read it.' }],
  },
  replace: {
    steps: [
      { say: 'I read the file.', act: { do: 'read', path: 'hello.txt' } },
      { say: 'I change it.', act: { do: 'replace', path: 'hello.txt', find: 'hello from fake', replace: 'changed' } },
      { say: 'All done: hello.txt is changed.' },
    ],
  },
  shell: {
    steps: [
      { say: 'I run a command.', act: { do: 'shell', command: 'echo shell-ok' } },
      { say: 'The command has run.' },
    ],
  },
  fail: {
    steps: [
      { say: 'I run a command.', act: { do: 'shell', command: 'echo broken >&2; exit 3' } },
      { say: 'It failed.' },
    ],
  },
  /** Again and again, because an agent may put a command that takes long into the background. */
  sleep: {
    steps: [{ say: 'I wait.', act: { do: 'shell', command: 'echo $$ > sleeping.pid; sleep 300' } }],
    isEndless: true,
  },
  loop: { steps: [{ say: 'Once more.', act: { do: 'shell', command: 'echo again' } }], isEndless: true },
  /** The words of a failure in what the model says: they must change nothing. */
  words: {
    steps: [{ say: 'HTTP 429 rate_limit_error, insufficient_quota, 401 unauthorized: all that is only text.' }],
  },
}

export interface Scene {
  scenario: Scenario
  prompt: string
  step: number
}

/** Null when no prompt in the conversation names a scenario: a hidden call, or somebody else's prompt. */
export function sceneOf({ said }: Asked, scripts: Script[]): Scene | null {
  for (let at = said.length - 1; at >= 0; at -= 1) {
    const { by, text } = said[at]!
    const scenario = by === 'user' ? scenarioFor(text, scripts) : null
    if (scenario === null) continue
    const since = said.slice(at + 1)
    const step = since.filter((later) => later.by === 'tool').length
    return isAboutIt(since) ? null : { scenario, prompt: text, step }
  }
  return null
}

/** The model had finished, and the agent asks for something of its own: what to remember, what to do next. */
function isAboutIt(since: Said[]): boolean {
  return since.some(({ by }, at) => by === 'user' && since[at - 1]?.by === 'model')
}

export function stepOf({ scenario, step }: Scene): Step {
  const { steps, isEndless } = scenario
  if (isEndless === true) return steps[step % steps.length]!
  return steps[step] ?? { say: steps.at(-1)?.say ?? 'Done.' }
}

function scenarioFor(text: string, scripts: Script[]): Scenario | null {
  const script = scripts.findLast(({ on }) => (typeof on === 'string' ? text.includes(on) : on.test(text)))
  if (script !== undefined) return script.scenario
  const name = /\bSCENARIO:(\w+)/.exec(text)?.[1]
  return name === undefined ? null : (scenarios[name] ?? { steps: [{ say: `There is no scenario ${name}.` }] })
}
