import type { Finding } from '../../delivery/judging/finding.ts'
import type { ToldPrompt, ToldSection } from '../../ports/prompts.ts'
import { oneLine, plainText } from '../../std/text/plain-text.ts'
import { findingText } from '../../views/inbox.ts'
import { type DiffReading, readFirst } from '../../views/report/internal.ts'
import type { WhyView } from '../../views/status.ts'
import { counted } from '../../views/step-text.ts'
import { questionLines } from '../show/delivery-lines.ts'
import {
  bold,
  clockText,
  cyan,
  dim,
  green,
  red,
  type ShownLine,
  type TextSpan,
  tableUnder,
  titled,
  yellow,
} from '../show/line.ts'
import { storyReviewLines } from '../show/review-lines.ts'
import { aStory, deliveryOption, verb } from '../verb.ts'

const why = { says: 'show the state of a story, and how it got there', takes: aStory, options: deliveryOption }

/** Where a story is and how it came there. */
export const whyVerb = verb(why, async ({ desk, screen }, [story], { delivery }) => {
  const view = await desk.why(delivery, story!)
  screen.show(view, () => whyLines(view))
})

function whyLines({ story, history, questions }: WhyView): ShownLine[] {
  const place = story.turns === 0 ? '' : `  attempt ${story.attempt}, round ${story.round}`
  const open = story.findings.flatMap((one) => findingLines(story.story, one))
  return [
    [bold(story.story), `  ${story.title}`],
    [yellow(story.word), `  ${oneLine(story.detail, 1000)}`, dim(place)],
    ...history.flatMap(({ at, text, findings }) => [
      [dim(`  ${clockText(at)}  `), oneLine(text)],
      ...(findings.length > 1 ? findings.slice(0, 10).map((finding) => `            ${findingText(finding)}`) : []),
    ]),
    ...titled(bold('Open findings'), open),
    ...story.unnoticed.map((text): ShownLine => [yellow('Note: '), oneLine(text)]),
    ...(story.review === null ? [] : storyReviewLines({ ...story.review, open: [] })),
    ...questionLines(questions),
  ]
}

function findingLines(story: string, finding: Finding): ShownLine[] {
  const { source, fingerprint } = finding
  const evidence = plainText(finding.evidence).trimEnd().split('\n').slice(-20)
  // Only what the inspection found can be waived.
  const isWaivable = source === 'inspection'
  const waive = `to accept it as it is: ropewalk waive ${story} ${fingerprint} --because "…"`
  return [
    `  ${findingText(finding)}`,
    dim(`    ${isWaivable ? waive : `fingerprint ${fingerprint}`}`),
    ...(finding.evidence.trim() === '' ? [] : evidence.map((line) => dim(`    | ${line.slice(0, 300)}`))),
  ]
}

const diff = {
  says: 'show what a story changes, or the whole delivery so far',
  takes: { '[story]': '' },
  options: deliveryOption,
}

/** What a story, or the delivery so far, changes. Whoever applies the patch passes over what stands before it. */
export const diffVerb = verb(diff, async ({ desk, screen }, [story], { delivery }) => {
  const answer = await desk.diff(delivery, story)
  const { unnoticed, risk, patch } = answer
  const notes = unnoticed.map((text) => `Note: ${oneLine(text)}`)
  const patched = screen.colour ? patch.trimEnd().split('\n').map(patchLine) : []
  screen.show(answer, () => [...notes, ...readingLines(risk), ...patched])
  if (!screen.json && !screen.colour) screen.document(patch)
})

function patchLine(line: string): ShownLine {
  if (line.startsWith('+') && !line.startsWith('+++')) return green(line)
  if (line.startsWith('-') && !line.startsWith('---')) return red(line)
  return line.startsWith('@@') ? cyan(line) : line
}

const most = 10

/** Before a diff: what of it to read first, and why. */
function readingLines(reading: DiffReading): ShownLine[] {
  const first = readFirst(reading).slice(0, most)
  const rest = reading.files.length - Math.min(readFirst(reading).length, most)
  if (first.length + reading.reasons.length === 0)
    return [dim(`Nothing stands out in ${counted(reading.files.length, 'file')}`), '']
  const rows = tableUnder(first, ({ path, score, reasons }) => [
    ...[dim(String(score)), bold(oneLine(path, 120)), reasons.join(', ')],
  ])
  const others =
    rows.length === 0 || rest === 0 ? [] : [dim(`  then the other ${rest === 1 ? 'file' : `${rest} files`}`)]
  return [...titled('Read first', rows), ...others, ...reading.reasons.map((reason) => `Note: ${reason}`), '']
}

const prompt = {
  says: 'show what an agent is told, word for word, and why each part is there',
  takes: { '<role>': 'such as coder, planner, reviewer', '[story]': '' },
  options: deliveryOption,
}

/** What a role is told, word for word. The text alone is the result, so that it can be kept; the rest is beside it. */
export const promptVerb = verb(prompt, async ({ desk, screen }, [wanted, story], { delivery }) => {
  const told = await desk.prompt(delivery, { wanted: wanted!, story })
  if (screen.json) screen.emit(told)
  else {
    screen.warn(...promptLines(told))
    screen.document(told.text)
  }
})

function promptLines({ role, story, agent, source, hidden, status, sections, files }: ToldPrompt): ShownLine[] {
  const from = source.override === null ? 'built in' : `${source.override} at the base`
  return [
    [bold(`${role}${story === null ? '' : ` of ${story}`}`), `: ${statusText[status]}`],
    dim(`${source.prompt} (${from}, ${source.hash || 'not recorded'})${agent === null ? '' : `, for ${agent}`}`),
    dim(`isolation: ${source.isolation}; never shown: ${hidden.join(', ') || 'nothing is kept from it'}`),
    ...tableUnder(sections, cells),
    ...files.map(({ path, bytes }) => dim(`  beside it: ${path} (${bytes} bytes)`)),
    '',
  ]
}

const statusText = {
  due: 'this is what it is told now',
  sent: 'this is what it was told last; it is not being asked now',
  supposed: 'this is what it would be told if it were its turn',
}

const cells = ({ name, tokens, most: limit, left, file, why: reason }: ToldSection): TextSpan[] => [
  name,
  tokens === null ? '' : name === 'task' ? `${tokens} tokens` : `${tokens} of ${limit} tokens`,
  left === 0 ? reason : `${reason} (${left} ${file === null ? 'left out' : 'in a file'})`,
]
