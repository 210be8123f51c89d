import { oneLine } from '../../std/text/plain-text.ts'
import { type DiffReading, readFirst } from '../../views/report/internal.ts'
import { counted } from '../../views/step-text.ts'
import { bold, cyan, dim, green, red, type ShownLine, table } from '../show/line.ts'
import { deliveryOption, verb } from '../verb.ts'

const words = {
  says: 'show what a story changes, or the whole delivery so far',
  takes: { '[story]': '' },
  options: deliveryOption,
}

/** What a story, or the delivery so far, changes. Whoever applies the patch passes over what stands before it. */
export const diffVerb = verb(words, async ({ desk, screen }, [story], { delivery }) => {
  const answer = await desk.diff(delivery, story)
  const { unnoticed, risk, patch } = answer
  const notes = unnoticed.map((text) => `Note: ${oneLine(text)}`)
  const patched = screen.colour ? patch.trimEnd().split('\n').map(patchLine) : []
  screen.show(answer, () => [...notes, ...readingLines(risk), ...patched])
  if (!screen.json && !screen.colour) screen.document(patch)
  return 0
})

function patchLine(line: string): ShownLine {
  if (line.startsWith('+') && !line.startsWith('+++')) return green(line)
  if (line.startsWith('-') && !line.startsWith('---')) return red(line)
  return line.startsWith('@@') ? cyan(line) : line
}

const most = 10

/** Before a diff: what of it to read first, and why. */
function readingLines(reading: DiffReading): ShownLine[] {
  const files = readFirst(reading)
  const rest = reading.files.length - Math.min(files.length, most)
  const rows = files
    .slice(0, most)
    .map(({ path, score, reasons }) => [dim(String(score)), bold(oneLine(path, 120)), reasons.join(', ')])
  if (rows.length + reading.reasons.length === 0)
    return [dim(`Nothing stands out in ${counted(reading.files.length, 'file')}`), '']
  return [
    ...(rows.length === 0 ? [] : ['Read first', ...table(rows, '  ')]),
    ...(rows.length === 0 || rest === 0 ? [] : [dim(`  then the other ${rest === 1 ? 'file' : `${rest} files`}`)]),
    ...reading.reasons.map((reason): ShownLine => `Note: ${reason}`),
    '',
  ]
}
