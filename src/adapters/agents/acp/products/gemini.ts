import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const minuteMs = 60_000

interface Given {
  env: Record<string, string>
  session: string
}

export async function passFirstMinute(given: Given, signal: AbortSignal): Promise<void> {
  // An abort is seen where the agent would be started.
  await wait(firstMinuteMs(given, Date.now()), null, { signal }).catch(() => {})
}

/**
 * Gemini names a session's file by the minute, and loads a session by opening a fresh file first: in the minute in
 * which the session was opened that is the same file, and the session is lost. How long that minute still takes.
 */
export function firstMinuteMs({ env, session }: Given, now: number): number {
  const projects = join(env.GEMINI_CLI_HOME ?? env.HOME ?? '', '.gemini', 'tmp')
  const minute = new Date(now).toISOString().slice(0, 16).replaceAll(':', '-')
  const file = join('chats', `session-${minute}-${session.slice(0, 8)}.jsonl`)
  const isOfThisMinute = foldersIn(projects).some((project) => existsSync(join(projects, project, file)))
  return isOfThisMinute ? minuteMs - (now % minuteMs) + 100 : 0
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
