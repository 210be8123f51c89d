import { answersIn } from '../../desk/answers/from-file.ts'
import { TerminalError } from '../../ports/errors.ts'
import type { GivenAnswer } from '../../settings/answers/answers-file.ts'
import type { InboxItem } from '../../views/questions/inbox.ts'
import { counted } from '../../views/step-text.ts'
import type { Cli } from '../cli.ts'
import { readGiven, refuseBoth } from '../given.ts'
import { beforeAsking, inboxLines, waitingLines } from '../show/lines/inbox-lines.ts'
import { ask, recordAnswer } from './ask.ts'

export interface InboxOptions {
  /** Put them one after the other, here. */
  ask?: boolean
  answer?: string
  form?: boolean
  resume?: boolean
}

/** Every question of every delivery that waits for a human: to look at, or to answer in one go. */
export async function inbox(cli: Cli, _: string[], options: InboxOptions): Promise<number> {
  const { ask: asks, answer, form, resume } = options
  refuseBoth({ '--ask': asks, '--form': form, '--answer': answer })
  if (resume === true && asks !== true && answer === undefined)
    throw new TerminalError('--resume continues what was answered', 'add --ask or --answer <file>')
  if (asks === true && !cli.screen.interactive)
    throw new TerminalError(
      'this is no terminal, so nobody can be asked',
      'answer with a file instead: ropewalk inbox --form',
    )
  const { items, waits } = await cli.desk.inbox()
  if (answer !== undefined) {
    const given = answersIn(await readGiven(cli.cwd, answer), items)
    if (given.length === 0) cli.screen.warn(`${answer} answers nothing: no option is filled in`)
    return await record(cli, given, options)
  }
  if (asks === true) return await record(cli, await askAll(cli, items), options)
  if (form === true) {
    const { answersForm } = await import('../../settings/answers/answers-file.ts')
    cli.screen.document(answersForm(items))
  } else cli.screen.show(items, () => [...inboxLines(items), ...waitingLines(waits, Date.now())])
  return 0
}

/** Until all are answered, or the person would rather stop; what was said until then counts. */
async function askAll({ screen }: Cli, items: InboxItem[]): Promise<GivenAnswer[]> {
  const said: GivenAnswer[] = []
  if (items.length === 0) screen.print(...inboxLines([]))
  for (const item of items) {
    screen.print(...beforeAsking(item))
    const reply = await ask({ ...item.question, evidence: '' }, new AbortController().signal)
    if (reply === null) break
    said.push({ delivery: item.delivery, question: item.question.id, ...reply })
  }
  return said
}

/** Each stands for itself: what somebody else has answered meanwhile is told, and the others are recorded. */
async function record(cli: Cli, answers: GivenAnswer[], { resume }: InboxOptions): Promise<number> {
  let refused = 0
  const idle = new Set<string>()
  for (const answer of answers) {
    const driven = await recordAnswer(cli, answer, `${answer.delivery}: `)
    if (driven === null) refused += 1
    else if (!driven) idle.add(answer.delivery)
  }
  const code = refused === 0 ? 0 : 1
  if (resume === true) return await goOn(cli, [...idle], code)
  const recorded = answers.length - refused
  cli.screen.show({ recorded, refused, undriven: [...idle] }, () => [
    ...(answers.length === 0
      ? []
      : [`${counted(recorded, 'answer')} recorded${refused === 0 ? '' : `, ${refused} refused`}.`]),
    ...[...idle].map((one) => `No process is driving ${one}: continue with \`ropewalk resume ${one}\`.`),
  ])
  return code
}

/** One after the other; the first that does not end well is what a shell is told. */
async function goOn(cli: Cli, deliveries: string[], code: number): Promise<number> {
  const { resume } = await import('../deliver/resume.ts')
  let told = code
  for (const delivery of deliveries) {
    const ended = await resume(cli, [delivery], {})
    told = told === 0 ? ended : told
  }
  return told
}
