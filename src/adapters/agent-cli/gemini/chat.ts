import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { noUsage, type Usage } from '../../../delivery/money/ledger.ts'
import type { Filed } from '../cli-agent.ts'
import { asCount, asObject, asText, at, objectOn } from '../json.ts'
import { linesOf } from '../lines.ts'

/**
 * What a session has used, from the files in which gemini keeps it: its answers tell their tokens. Less than what a
 * result tells, for what it asks the model besides is not in there; but a turn that was killed has told nothing else.
 */
export async function chatOf({ home, session }: { home: string; session: string }): Promise<Filed | null> {
  const answers: Answers = new Map()
  let answered = false
  const files = await filesOf(home, session)
  for (const file of files) {
    try {
      for await (const line of linesOf(file)) answered = note(line, answers) ?? answered
    } catch {
      return null
    }
  }
  if (files.length === 0) return null
  const usage = [...answers.values()].reduce((sum, answer) => plus(sum, answer.usage), noUsage)
  return { usage, counted: usage, model: [...answers.values()].at(-1)?.model ?? null, trouble: null, answered }
}

/** In folders by project; they begin with their date and end with the first part of the session's id. A resumed one has several. */
async function filesOf(home: string, session: string): Promise<string[]> {
  const roots = [join(home, '.gemini', 'tmp'), join(home, 'tmp')]
  const files = await Promise.all(roots.map((root) => readdir(root, { recursive: true }).catch(() => [])))
  return files.flatMap((names, place) =>
    names
      .filter((name) => name.includes('chats') && name.endsWith(`-${session.slice(0, 8)}.jsonl`))
      .sort()
      .map((name) => join(roots[place] ?? '', name)),
  )
}

type Answers = Map<string, { usage: Usage; model: string | null }>

/** An answer is written again when its tools have run: the last one counts. Whether it is a last word; null: no word. */
function note(line: string, answers: Answers): boolean | null {
  const entry = objectOn(line)
  const id = asText(entry?.id)
  if (id === null || entry === null) return null
  if (entry.type !== 'gemini' || asObject(entry.tokens) === null) return entry.type === 'user' ? false : null
  answers.set(id, { usage: usageOf(entry.tokens), model: asText(entry.model) })
  return !Array.isArray(entry.toolCalls) || entry.toolCalls.length === 0
}

function usageOf(tokens: unknown): Usage {
  const inputTokens = asCount(at(tokens, 'input'))
  const outputTokens = Math.max(asCount(at(tokens, 'output')), asCount(at(tokens, 'total')) - inputTokens)
  return { inputTokens, outputTokens, cachedTokens: asCount(at(tokens, 'cached')) }
}

const plus = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  cachedTokens: a.cachedTokens + b.cachedTokens,
})
