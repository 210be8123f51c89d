// The shape of a settings file, and what holds where no layer says otherwise. Each leaf's error text says what is allowed
// there; the loader adds key, value and place.
import * as z from 'zod'
import { runners, severities } from '../delivery/judging/finding.ts'
import { type Ceilings, type Limits, needs, type WorkingHours } from '../delivery/policy.ts'
import { vantages } from '../delivery/review/review.ts'
import { drivers } from './drivers.ts'

const minuteMs = 60_000

/** Each limit with its default and the least that is allowed; `Ms`: milliseconds. That of checks is found by itself. */
const limitTable = {
  agents: [3, 1],
  storiesPerPlan: [500, 1],
  planRepairs: [1, 0],
  planRevisions: [5, 0],
  planAudits: [2, 0],
  complexityPerStory: [13, 1],
  filesPerStory: [30, 1],
  criteriaPerStory: [15, 1],
  answerRetries: [2, 0],
  readings: [8, 1],
  reviewRounds: [3, 1],
  reproductions: [3, 0],
  challengerTurns: [15, 1],
  replans: [5, 0],
  roundsPerAttempt: [3, 1],
  attemptsPerStory: [5, 1],
  crashesPerAgent: [2, 0],
  crashesPerStory: [5, 0],
  mergesPerStory: [3, 1],
  parksPerStory: [50, 0],
  amendmentsPerStory: [5, 0],
  turnsPerStory: [40, 1],
  agentStartsPerDelivery: [5000, 1],
  refusalsPerAgent: [3, 1],
  judgeRetries: [2, 0],
  train: [16, 1],
  fixStories: [2, 0],
  flakyReruns: [2, 0],
  breakages: [12, 0],
  breakagesMs: [2 * minuteMs, 1],
  landings: [5, 1],
  lostStartsPerStep: [3, 1],
  questionDeadlineMs: [240 * minuteMs, 1],
} satisfies Record<Exclude<keyof Limits, 'checks'>, [number, number]>

/** Each ceiling with what it is counted in. There is none by default. */
const ceilingTable = {
  usdPerDelivery: 'US dollars',
  usdPerStory: 'US dollars',
  usdPerDay: 'US dollars',
  tokensPerDelivery: 'tokens',
  tokensPerStory: 'tokens',
  tokensPerDay: 'tokens',
  minutesPerDelivery: 'minutes',
  minutesPerStory: 'minutes',
  minutesPerDay: 'minutes',
} satisfies Record<keyof Ceilings, string>

/** The same keys, each with what is made of its value. */
const mapped = <Key extends string, From, To>(
  table: Record<Key, From>,
  make: (from: From, key: Key) => To,
): Record<Key, To> =>
  Object.fromEntries(Object.entries(table).map(([key, from]) => [key, make(from as From, key as Key)])) as Record<
    Key,
    To
  >

const hoursText = 'days and hours such as "mon-fri 09:00-17:00" or "08:00-20:00", or null for all'
const relatedText = 'a command in which {files} stands for test files'
const amountText = 'a number of at least 0'
const longestMs = 2 ** 31 - 1
const agentName = 'the name of an agent'

export const mapping = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, { error: `a mapping with the keys ${Object.keys(shape).join(', ')}` })
export const words = (what: string) => z.string({ error: what }).min(1, { error: what })
export const oneOfWords = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: `one of ${values.join(', ')}` })

/** What it is where nobody has said it; unlike a default, nothing that anybody could write there. */
const unsaid = <Schema extends z.ZodType, Value>(schema: Schema, value: Value) =>
  schema.optional().transform((said): z.output<Schema> | Value => said ?? value)

const count = (least: number) => {
  const error = `a whole number from ${least} to 1000000`
  return z.int({ error }).min(least, { error }).max(1_000_000, { error })
}
const duration = () => {
  const error = `milliseconds as a whole number from 1 to ${longestMs}`
  return z.int({ error }).min(1, { error }).max(longestMs, { error })
}
const ceiling = (what: string, usual: number | null = null) => {
  const error = `${what} of at least 0, or null for none`
  return z.number({ error }).min(0, { error }).nullable().default(usual)
}
const command = () => words('a command as one line of text, for example "npm test"')
const optionalCommand = () => command().nullable().default(null)

const flag = (usual: boolean) => z.boolean({ error: 'true or false' }).default(usual)

const list = <Schema extends z.ZodType>(one: Schema, error: string) => z.array(one, { error })
const globs = () => list(words('a path or glob'), 'a list of paths or globs').default([])

const oneName = () => words(agentName).transform((name) => [name])
const agentNames = list(words(agentName), `${agentName}, or a list of names`).min(1, {
  error: `${agentName}, or a list of at least one`,
})

const chain = () => z.union([oneName(), agentNames], { error: `${agentName}, or a list` }).optional()

/** An empty list: nobody does it. */
const chainOrNobody = () =>
  z.union([oneName(), z.array(words(agentName))], { error: `${agentName}, or a list; [] for nobody` }).optional()

const reviewer = mapping({ vantage: oneOfWords(vantages), agents: chain() })

const programText = 'a list: the program, then its arguments'
const variableText = 'the name of an environment variable, without a value'

const model = () => words('the name of a model').exactOptional()

const agent = mapping({
  driver: oneOfWords(drivers).optional(),
  command: unsaid(list(words('a program or an argument'), programText).min(1, { error: programText }), null),
  args: list(words('an argument'), 'a list of arguments').default([]),
  script: unsaid(words('the path of a script file'), null),
  home: oneOfWords(['own', 'user']).default('own'),
  api: unsaid(
    mapping({
      type: oneOfWords(['anthropic', 'openai', 'google', 'compatible']),
      url: words('the address of the service').nullable().default(null),
      key: words('the name of the environment variable that holds the key').nullable().default(null),
    }),
    null,
  ),
  permissions: oneOfWords(['bypass', 'ask']).default('bypass'),
  allow: list(words('a kind, such as edit, or execute: npm test*'), 'a list of what it may do').default([
    ...['read', 'search', 'edit'],
  ]),
  cheaper: words('the name of a model').nullable().default(null),
  contextWindow: count(1).nullable().default(null),
  environment: list(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: variableText }),
    'a list of names of environment variables',
  ).default([]),
  models: mapping({ fast: model(), balanced: model(), powerful: model() }).default({}),
  timeoutMs: duration().default(60 * minuteMs),
  idleTimeoutMs: duration().default(15 * minuteMs),
  reserveUsd: unsaid(z.number({ error: amountText }).min(0, { error: amountText }), null),
})

const check = mapping({
  run: unsaid(command(), ''),
  fix: optionalCommand(),
  timeoutMs: duration().default(10 * minuteMs),
  parser: oneOfWords(['auto', ...runners]).default('auto'),
  report: words('a path or glob').nullable().default(null),
  related: words(relatedText).includes('{files}', { error: relatedText }).nullable().default(null),
  full: oneOfWords(['story', 'merge', 'end']).default('story'),
  packages: globs(),
  needs: list(oneOfWords(needs), `a list of ${needs.join(', ')}`).default([]),
})

const setup = mapping({ run: unsaid(command(), ''), timeoutMs: duration().default(10 * minuteMs), reads: globs() })

const service = mapping({
  up: command(),
  health: optionalCommand(),
  down: optionalCommand(),
  timeoutMs: duration().default(minuteMs),
})

const limits = mapping({
  ...mapped(limitTable, ([usual, least]: [number, number], name) =>
    (name.endsWith('Ms') ? duration() : count(least)).default(usual),
  ),
  checks: unsaid(count(1), null),
})

/** A command may stand for the mapping that has nothing but that. */
const orCommand = <Schema extends typeof check | typeof setup>(whole: Schema) =>
  z.union([command().transform((run) => whole.parse({ run }) as z.output<Schema>), whole], {
    error: 'a command, or a mapping with the key run',
  })

const branchText = 'the name of a branch'

export const settingsFile = mapping({
  target: unsaid(
    z
      .string({ error: branchText })
      .regex(/^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\.lock$|[/.]$))[^\s~^:?*[\\\x00-\x1f]+$/, { error: branchText }),
    null,
  ),
  gates: oneOfWords(['auto', 'plan', 'manual']).default('plan'),
  unanswered: oneOfWords(['fail', 'skip']).default('fail'),
  land: oneOfWords(['end', 'each']).default('end'),
  agents: z.record(z.string(), agent, { error: 'a mapping from agent names to their settings' }).default({}),
  roles: mapping({
    coder: chain(),
    planner: chain(),
    testWriter: chain(),
    verifier: chain(),
    interpreter: chainOrNobody(),
    challenger: chainOrNobody(),
    triager: chain(),
  }).prefault({}),
  intent: mapping({
    skip: flag(false),
    confirm: oneOfWords(['never', 'uncertain', 'always']).default('uncertain'),
    identity: globs(),
    fetch: oneOfWords(['none', 'public', 'any']).default('public'),
  }).prefault({}),
  review: mapping({
    reviewers: unsaid(list(reviewer, 'a list of reviewers, each with a vantage; [] for none'), null),
    followDiff: flag(true),
    timeoutMs: duration().default(3 * minuteMs),
    blocks: list(oneOfWords(severities), `a list of ${severities.join(', ')}`).default(['blocking', 'important']),
    rebuttal: flag(true),
    verifyByTest: flag(false),
    unverified: oneOfWords(['ask', 'tell']).default('ask'),
  }).prefault({}),
  partialHandoff: oneOfWords(['proceed', 'retry', 'escalate']).default('proceed'),
  constitution: words('the path of a file').nullable().default(null),
  checks: z.record(z.string(), orCommand(check), { error: 'a mapping from check names to commands' }).default({}),
  judges: list(
    words('the name of a judge'),
    'a list of inspection, related:<check>, check:<check>, guard:<check>, sensitivity, witness, criteria',
  ).default([]),
  setup: unsaid(orCommand(setup), null),
  protect: globs(),
  tests: mapping({
    related: z
      .record(z.string(), globs(), { error: 'a mapping from sources (globs) to lists of their tests' })
      .default({}),
    material: globs(),
    product: globs(),
  }).prefault({}),
  changedTests: unsaid(oneOfWords(['ask', 'reviewers', 'block']), null),
  mutation: oneOfWords(['off', 'tell', 'block']).default('block'),
  quarantine: list(words('the name of a test'), 'a list of names of tests').default([]),
  strategy: oneOfWords(['after', 'tdd', 'three-session']).default('after'),
  acceptance: flag(false),
  witness: flag(true),
  mergeMethod: oneOfWords(['squash', 'rebase', 'merge']).default('squash'),
  signWith: words('the path of an ssh key').nullable().default(null),
  workspace: mapping({
    ports: count(0).default(0),
    copy: globs(),
    services: z.record(z.string(), service, { error: 'a mapping from names to services' }).default({}),
    quotaMb: ceiling('megabytes'),
  }).prefault({}),
  keep: mapping({
    transcriptsDays: ceiling('days', 90),
    workspacesDays: ceiling('days', 0),
    archivesDays: ceiling('days', 180),
    branchesDays: ceiling('days', 180),
  }).prefault({}),
  limits: limits.prefault({}),
  ceilings: mapping(mapped(ceilingTable, (unit) => ceiling(unit))).prefault({}),
  routing: mapping({ fast: count(0).default(3), balanced: count(0).default(5) }).prefault({}),
  sandbox: oneOfWords(['auto', 'bwrap', 'none']).default('auto'),
  egress: oneOfWords(['open', 'closed']).default('open'),
  workingHours: z
    .string({ error: hoursText })
    .refine((text) => workingHours(text, 0) !== null, { error: hoursText })
    .nullable()
    .default(null),
})

export type SettingsInput = z.input<typeof settingsFile>
export type SettingsFile = z.output<typeof settingsFile>

export const agentDefaults = agent.parse({})
export const { run: _ofEachItsOwn, ...checkDefaults } = check.parse({})

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const form = /^(?:([a-z]{3})(?:-([a-z]{3}))? )?([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)$/

/** `mon-fri 09:00-17:30`, or `08:00-20:00` for every day; null: it says nothing that can be understood. */
export function workingHours(text: string, utcOffsetMinutes: number): WorkingHours | null {
  const [, first = 'sun', last, ...clock] = form.exec(text) ?? []
  const [fromHour, fromMinute, toHour, toMinute] = clock.map(Number)
  const begin = weekdays.indexOf(first)
  const end = weekdays.indexOf(last ?? (/^\d/.test(text) ? 'sat' : first))
  if (fromHour === undefined || begin < 0 || end < 0) return null
  const [from, to] = [fromHour * 60 + fromMinute!, toHour! * 60 + toMinute!]
  const days = weekdays.map((_, day) => day).filter((day) => (day - begin + 7) % 7 <= (end - begin + 7) % 7)
  return from < to && to <= 24 * 60 ? { days, from, to, utcOffsetMinutes } : null
}
