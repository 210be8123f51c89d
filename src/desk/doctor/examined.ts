/** One thing that `doctor` has tried. */
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
