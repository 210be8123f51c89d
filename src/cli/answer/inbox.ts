import { answersIn } from '../../desk/intents.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { GivenAnswer } from '../../settings/answers-file.ts'
import { oneLine } from '../../std/text/plain-text.ts'
import type { InboxItem } from '../../views/inbox.ts'
import type { WaitView } from '../../views/status.ts'
import { counted } from '../../views/step-text.ts'
import { readGiven, refuseBoth } from '../given.ts'
import { deadlineLines, evidenceLines, questionLines, waitLines } from '../show/delivery-lines.ts'
import { bold, dim, type ShownLine } from '../show/line.ts'
import { type Cli, verb } from '../verb.ts'
import { putQuestion, recordAnswer } from './ask.ts'

const words = {
  says: 'list the questions of all deliveries that wait for you',
  options: {
    '--ask': 'ask me each of them here',
    '--form': 'print a YAML file to fill in',
    '--answer <file>': 'record the answers of such a file',
    '--resume': 'then continue the deliveries that no process drives',
  },
}

/** Every question of every delivery that waits for a human: to look at, or to answer in one go. */
export const inboxVerb = verb(words, async (cli, _, { ask: asks, answer, form, resume }) => {
  refuseBoth({ '--ask': asks, '--form': form, '--answer': answer })
  if (resume && !asks && answer === undefined)
    throw new TerminalError('--resume continues what was answered', 'add --ask or --answer <file>')
  if (asks && !cli.screen.interactive)
    throw new TerminalError(
      'this is not a terminal, so nobody can be asked',
      'answer with a file instead: ropewalk inbox --form',
    )
  const { items, waits } = await cli.desk.inbox()
  if (answer !== undefined) {
    const given = answersIn(await readGiven(cli.cwd, answer), items)
    if (given.length === 0) cli.screen.warn(`${answer} answers nothing: no option is filled in`)
    return await record(cli, given, resume)
  }
  if (asks) return await record(cli, await askAll(cli, items), resume)
  if (form) {
    const { answersForm } = await import('../../settings/answers-file.ts')
    cli.screen.document(answersForm(items))
  } else cli.screen.show(items, () => [...inboxLines(items), ...waitingLines(waits, Date.now())])
})

/** Until all are answered, or the person would rather stop; what was said until then counts. */
async function askAll({ screen }: Cli, items: InboxItem[]): Promise<GivenAnswer[]> {
  const said: GivenAnswer[] = []
  if (items.length === 0) screen.print(...inboxLines([]))
  for (const item of items) {
    screen.print(...beforeAsking(item))
    const reply = await putQuestion({ ...item.question, evidence: '' }, new AbortController().signal)
    if (reply === null) break
    said.push({ delivery: item.delivery, question: item.question.id, ...reply })
  }
  return said
}

/** Each stands for itself: what somebody else has answered meanwhile is told, and the others are recorded. */
async function record(cli: Cli, answers: GivenAnswer[], resume: boolean): Promise<number> {
  const { screen } = cli
  let refused = 0
  const idle = new Set<string>()
  for (const answer of answers) {
    const driven = await recordAnswer(cli, answer, `${answer.delivery}: `)
    if (driven === null) refused += 1
    else if (!driven) idle.add(answer.delivery)
  }
  const code = refused === 0 ? 0 : 1
  if (resume) return await goOn(cli, [...idle], code)
  const recorded = answers.length - refused
  const told = `${counted(recorded, 'answer')} recorded${refused === 0 ? '' : `, ${refused} refused`}.`
  screen.show({ recorded, refused, undriven: [...idle] }, () => [
    ...(answers.length === 0 ? [] : [told]),
    ...[...idle].map((one) => `No process is driving ${one}: continue with \`ropewalk resume ${one}\`.`),
  ])
  return code
}

/** One after the other; the first that does not end well is what a shell is told. */
async function goOn(cli: Cli, deliveries: string[], code: number): Promise<number> {
  const { resumeHere } = await import('../deliver/run.ts')
  let told = code
  for (const delivery of deliveries) {
    const ended = await resumeHere(cli, delivery)
    told = told === 0 ? ended : told
  }
  return told
}

/** What waits for a human, with how to answer it; reading it answers nothing. */
function inboxLines(items: InboxItem[]): ShownLine[] {
  if (items.length === 0) return ['Nothing waits for you.']
  const deliveries = new Set(items.map(({ delivery }) => delivery)).size
  const atOnce = 'ropewalk inbox --ask, or ropewalk inbox --form > answers.yaml, then --answer answers.yaml'
  return [
    ...items.flatMap((item) => [...itemLines(item), '']),
    dim(`${counted(items.length, 'question')} of ${counted(deliveries, 'delivery', 'deliveries')}.`),
    dim(`To answer all at once: ${atOnce}`),
  ]
}

/** What needs no answer, but perhaps a hand: a file that is in the way, a limit that was reached. */
export const waitingLines = (waiting: { delivery: string; waits: WaitView[] }[], at: number): ShownLine[] =>
  waiting.flatMap(({ delivery, waits }) => (waits.length === 0 ? [] : [bold(delivery), ...waitLines(waits, at)]))

const itemLines = (item: InboxItem): ShownLine[] => [
  ...placeLines(item),
  ...questionLines([{ ...item.question, evidence: item.evidence.join('\n') }], item.delivery),
]

/** What comes before a question that is put there and then, which brings its own text and options. */
const beforeAsking = (item: InboxItem): ShownLine[] => [
  ...placeLines(item),
  ...evidenceLines(item.evidence.join('\n')),
  ...deadlineLines(item.question),
]

const placeLines = ({ delivery, requirement, repository }: InboxItem): ShownLine[] => [
  [bold(delivery), `  ${oneLine(requirement, 120)}`],
  dim(`  in ${repository}`),
]
