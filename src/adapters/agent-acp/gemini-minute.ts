import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const minuteMs = 60_000

/**
 * Gemini names a session's file by the minute, and loads a session by opening a fresh file first: in the minute in
 * which the session was opened that is the same file, and the session is lost. So that minute has to pass.
 */
export async function passFirstMinute(given: {
  env: Record<string, string>
  session: string
  signal: AbortSignal
}): Promise<void> {
  const now = Date.now()
  if (!isOfThisMinute(given, new Date(now))) return
  // An abort is seen where the agent would be started.
  await wait(minuteMs - (now % minuteMs) + 100, null, { signal: given.signal }).catch(() => {})
}

function isOfThisMinute({ env, session }: { env: Record<string, string>; session: string }, now: Date): boolean {
  const projects = join(env.GEMINI_CLI_HOME ?? env.HOME ?? '', '.gemini', 'tmp')
  const minute = now.toISOString().slice(0, 16).replaceAll(':', '-')
  return foldersIn(projects).some((project) =>
    existsSync(join(projects, project, 'chats', `session-${minute}-${session.slice(0, 8)}.jsonl`)),
  )
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
