import type { DeliveryState } from '../../../delivery/state.ts'
import { load } from '../../../engine/load.ts'
import { submit } from '../../../engine/submit.ts'
import { TerminalError } from '../../../ports/errors.ts'
import type { GivenAnswer } from '../../../settings/answers/answers-file.ts'
import type { InboxItem } from '../../../views/questions/inbox.ts'
import { inboxOf } from '../../../views/questions/inbox.ts'
import { counted } from '../../../views/step-text.ts'
import { newestFirst, refuseLost, withoutLedgers } from '../../choose-delivery.ts'
import { ask } from '../../show/ask.ts'
import type { Cli } from '../../world.ts'
import { answerIntent } from '../answer-intent.ts'
import { fromFile } from './from-file.ts'
import { beforeAsking, inboxLines, waitingLines } from './inbox-lines.ts'

export interface InboxOptions {
  /** Put them one after the other, here. */
  ask?: boolean
  answer?: string
  form?: boolean
  resume?: boolean
}

/** Every question of every delivery that waits for a human: to look at, or to answer in one go. */
export async function inbox(cli: Cli, options: InboxOptions): Promise<number> {
  refuseBoth(options)
  if (options.ask === true && !cli.screen.interactive)
    throw new TerminalError('nobody can be asked here: this is no terminal', 'answer by a file: ropewalk inbox --form')
  const states = await openDeliveries(cli)
  const items = states.flatMap(inboxOf)
  if (options.answer !== undefined) {
    const given = await fromFile(cli.cwd, options.answer, items)
    if (given.length === 0) cli.screen.warn(`${options.answer} answers nothing: no option is filled in`)
    return await record(cli, given, options)
  }
  if (options.ask === true) return await record(cli, await askAll(cli, items), options)
  if (options.form === true) {
    const { answersForm } = await import('../../../settings/answers/answers-file.ts')
    cli.screen.document(answersForm(items))
  } else if (cli.screen.json) cli.screen.emit(items)
  else cli.screen.print(...inboxLines(items), ...waitingLines(states, Date.now()))
  return 0
}

function refuseBoth({ ask, form, answer, resume }: InboxOptions): void {
  const ways = [ask === true ? '--ask' : '', form === true ? '--form' : '', answer === undefined ? '' : '--answer']
  const [one, other] = ways.filter((way) => way !== '')
  if (other !== undefined) throw new TerminalError(`${one} and ${other} are two ways`, 'give one of them')
  if (resume === true && (one === undefined || one === '--form'))
    throw new TerminalError('nothing is answered that could be gone on with', 'add --ask or --answer <file>')
}

async function openDeliveries({ world }: Cli): Promise<DeliveryState[]> {
  const log = await world.log()
  await refuseLost({ world }, log)
  const open = newestFirst(withoutLedgers(await log.deliveries(null))).filter(({ result }) => result === null)
  const states = []
  for (const { delivery } of open) states.push(await load(log, delivery))
  return states
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
  const { screen, world } = cli
  const intake = await world.intake()
  const by = world.user
  let refused = 0
  for (const { delivery, ...answer } of answers) {
    const intent = await answerIntent(cli, await load(intake.log, delivery), answer)
    const submitted = await submit(intake, { delivery, intent, actor: by })
    if (!('refused' in submitted)) continue
    refused += 1
    screen.warn(`${delivery}: ${submitted.refused}: ${submitted.remedy}`)
  }
  const recorded = answers.length - refused
  const idle = await undriven(cli, [...new Set(answers.map(({ delivery }) => delivery))])
  if (resume === true) return await goOn(cli, idle, refused === 0 ? 0 : 1)
  if (screen.json) screen.emit({ recorded, refused, undriven: idle })
  else if (answers.length > 0)
    screen.print(
      `${counted(recorded, 'answer')} recorded${refused === 0 ? '' : `, ${refused} refused`}.`,
      ...idle.map((delivery) => `Nobody drives ${delivery}: \`ropewalk resume ${delivery}\` goes on.`),
    )
  return refused === 0 ? 0 : 1
}

async function undriven({ world }: Cli, deliveries: string[]): Promise<string[]> {
  const log = await world.log()
  const idle = []
  for (const delivery of deliveries) {
    const lease = await log.leaseOf(delivery)
    if (lease === null || lease.expiresAt <= Date.now()) idle.push(delivery)
  }
  return idle
}

/** One after the other; the first that does not end well is what a shell is told. */
async function goOn(cli: Cli, deliveries: string[], code: number): Promise<number> {
  const { resume } = await import('../../deliver/resume.ts')
  let told = code
  for (const delivery of deliveries) {
    const ended = await resume(cli, delivery, {})
    told = told === 0 ? ended : told
  }
  return told
}
