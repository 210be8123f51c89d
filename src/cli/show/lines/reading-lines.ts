import { oneLine } from '../../../std/text/plain-text.ts'
import { type Reading, readFirst } from '../../../views/report/reading.ts'
import { counted } from '../../../views/step-text.ts'
import { bold, dim, type Line } from '../line.ts'
import { table } from '../table.ts'

const most = 10

/** Before a diff: what of it to read first, and why. */
export function readingLines(reading: Reading): Line[] {
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
    ...reading.reasons.map((reason): Line => `Note: ${reason}`),
    '',
  ]
}
