import { TerminalError } from '../../../ports/errors.ts'

export interface Examined {
  what: string
  status: 'ok' | 'note' | 'problem'
  detail: string
  remedy: string
}

export const ok = (what: string, detail: string): Examined => ({ what, status: 'ok', detail, remedy: '' })
export const note = (what: string, detail: string): Examined => ({ what, status: 'note', detail, remedy: '' })
export const problem = (what: string, detail: string, remedy: string): Examined => ({
  what,
  status: 'problem',
  detail,
  remedy,
})

export async function examine(what: string, look: () => Promise<string>): Promise<Examined> {
  try {
    return ok(what, await look())
  } catch (error) {
    if (error instanceof TerminalError) return problem(what, error.message, error.remedy)
    return problem(what, error instanceof Error ? error.message : String(error), 'see ROPEWALK_DEBUG=1')
  }
}
