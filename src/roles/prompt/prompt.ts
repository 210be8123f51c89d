/** What an agent is told, and files beside its workspace that hold what did not fit. */
export interface Prompt {
  text: string
  files: { path: string; text: string }[]
}

export interface Section {
  title: string
  /** Whole parts: a part that does not fit is left out, never cut in the middle. */
  parts: string[]
  budgetBytes: number
  /** Where everything is written when not all of it fits; null: the rest is only counted. */
  overflow: string | null
}

/** Sections in order, the empty ones left out, each within its budget. */
export function buildPrompt(sections: Section[]): Prompt {
  const shown = sections.filter((section) => section.parts.length > 0).map(render)
  return {
    text: `${shown.map(({ text }) => text).join('\n\n')}\n`,
    files: shown.flatMap(({ file }) => (file === null ? [] : [file])),
  }
}

function render(section: Section): { text: string; file: Prompt['files'][number] | null } {
  const { title, parts, overflow } = section
  const fitting = withinBudget(section)
  const lines = [`## ${title}`, ...fitting]
  if (fitting.length === parts.length) return { text: lines.join('\n\n'), file: null }
  const left = parts.length - fitting.length
  lines.push(
    `(${left} of ${parts.length} left out for length${overflow === null ? '' : `; read all of it in ${overflow}`})`,
  )
  return { text: lines.join('\n\n'), file: overflow === null ? null : { path: overflow, text: parts.join('\n\n') } }
}

function withinBudget({ parts, budgetBytes }: Section): string[] {
  let left = budgetBytes
  const end = parts.findIndex((part) => {
    left -= Buffer.byteLength(part) + 2
    return left < 0
  })
  return end === -1 ? parts : parts.slice(0, end)
}
