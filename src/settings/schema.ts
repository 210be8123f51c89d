// The shape of a settings file. Each leaf's error text says what is allowed there; the loader adds key, value and place.
import { z } from 'zod'
import { runners, severities } from '../delivery/judging/finding.ts'
import { needs, tiers, type WorkingHours } from '../delivery/policy.ts'
import { vantages } from '../delivery/review/review.ts'
import { ceilingTable, limitTable, mapped } from './defaults.ts'
import { drivers } from './drivers.ts'

const hoursText = 'days and hours such as "mon-fri 09:00-17:00" or "08:00-20:00", or null for all'
const longestMs = 2 ** 31 - 1
const agentName = 'the name of an agent'

export const mapping = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, { error: `a mapping with the keys ${Object.keys(shape).join(', ')}` })
export const words = (what: string) => z.string({ error: what }).min(1, { error: what })
export const oneOfWords = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: `one of ${values.join(', ')}` })

const count = (least: number) => {
  const error = `a whole number from ${least} to 1000000`
  return z.int({ error }).min(least, { error }).max(1_000_000, { error }).optional()
}
const duration = () => {
  const error = `milliseconds as a whole number from 1 to ${longestMs}`
  return z.int({ error }).min(1, { error }).max(longestMs, { error }).optional()
}
const amount = () => {
  const error = 'a number of at least 0'
  return z.number({ error }).min(0, { error })
}
const ceiling = (what: string) => {
  const error = `${what} of at least 0, or null for none`
  return z.number({ error }).min(0, { error }).nullable().optional()
}
const command = () => words('a command as one line of text, for example "npm test"')

const flag = () => z.boolean({ error: 'true or false' }).optional()

const globs = () => z.array(words('a path or glob'), { error: 'a list of paths or globs' })

const agentNames = z
  .array(words(agentName), { error: `${agentName}, or a list of names` })
  .min(1, { error: `${agentName}, or a list of at least one` })

const chain = () => z.union([words(agentName), agentNames], { error: `${agentName}, or a list` }).optional()

/** An empty list: nobody does it. */
const chainOrNobody = () =>
  z.union([words(agentName), z.array(words(agentName))], { error: `${agentName}, or a list; [] for nobody` }).optional()

const reviewer = mapping({ vantage: oneOfWords(vantages), agents: chain() })

const agent = mapping({
  driver: oneOfWords(drivers).optional(),
  command: z
    .array(words('a program or an argument'), { error: 'a list: the program, then its arguments' })
    .min(1, { error: 'a list: the program, then its arguments' })
    .optional(),
  args: z.array(words('an argument'), { error: 'a list of arguments' }).optional(),
  script: words('the path of a script file').optional(),
  home: oneOfWords(['own', 'user']).optional(),
  api: mapping({
    type: oneOfWords(['anthropic', 'openai', 'google', 'compatible']),
    url: words('the address of the service').nullable().default(null),
    key: words('the name of the environment variable that holds the key').nullable().default(null),
  }).optional(),
  permissions: oneOfWords(['bypass', 'ask']).optional(),
  allow: z
    .array(words('a kind, such as edit, or execute: npm test*'), { error: 'a list of what it may do' })
    .optional(),
  cheaper: words('the name of a model').nullable().optional(),
  contextWindow: count(1).nullable(),
  environment: z
    .array(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'the name of an environment variable, without a value' }),
      {
        error: 'a list of names of environment variables',
      },
    )
    .optional(),
  models: mapping(
    Object.fromEntries(tiers.map((tier) => [tier, words('the name of a model').optional()])) as Record<
      (typeof tiers)[number],
      z.ZodOptional<z.ZodString>
    >,
  ).optional(),
  timeoutMs: duration(),
  idleTimeoutMs: duration(),
  reserveUsd: amount().optional(),
})

const check = mapping({
  run: command().optional(),
  fix: command().nullable().optional(),
  timeoutMs: duration(),
  parser: oneOfWords(['auto', ...runners]).optional(),
  report: words('a path or glob').nullable().optional(),
  related: words('a command in which {files} stands for test files')
    .includes('{files}', { error: 'a command in which {files} stands for test files' })
    .nullable()
    .optional(),
  full: oneOfWords(['story', 'merge', 'end']).optional(),
  packages: globs().optional(),
  needs: z.array(oneOfWords(needs), { error: `a list of ${needs.join(', ')}` }).optional(),
})

const service = mapping({
  up: command(),
  health: command().nullable().optional(),
  down: command().nullable().optional(),
  timeoutMs: duration(),
})

const workspace = mapping({
  ports: count(0),
  copy: globs().optional(),
  services: z.record(z.string(), service, { error: 'a mapping from names to services' }).optional(),
  quotaMb: ceiling('megabytes'),
})

const limits = mapping(
  mapped(limitTable, ([, least]: [number | null, number], name) => (name.endsWith('Ms') ? duration() : count(least))),
)

export const settingsFile = mapping({
  target: z
    .string({ error: 'the name of a branch' })
    .regex(/^(?![-/.])(?!.*(?:\.\.|\/\/|@\{|\.lock$|[/.]$))[^\s~^:?*[\\\x00-\x1f]+$/, { error: 'the name of a branch' })
    .optional(),
  gates: oneOfWords(['auto', 'plan', 'manual']).optional(),
  unanswered: oneOfWords(['fail', 'skip']).optional(),
  land: oneOfWords(['end', 'each']).optional(),
  agents: z.record(z.string(), agent, { error: 'a mapping from agent names to their settings' }).optional(),
  roles: mapping({
    coder: chain(),
    planner: chain(),
    testWriter: chain(),
    verifier: chain(),
    interpreter: chainOrNobody(),
    challenger: chainOrNobody(),
    triager: chain(),
  }).optional(),
  intent: mapping({
    skip: flag(),
    confirm: oneOfWords(['never', 'uncertain', 'always']).optional(),
    identity: globs().optional(),
    fetch: oneOfWords(['none', 'public', 'any']).optional(),
  }).optional(),
  review: mapping({
    reviewers: z.array(reviewer, { error: 'a list of reviewers, each with a vantage; [] for none' }).optional(),
    followDiff: flag(),
    timeoutMs: duration(),
    blocks: z.array(oneOfWords(severities), { error: `a list of ${severities.join(', ')}` }).optional(),
    rebuttal: flag(),
    verifyByTest: flag(),
    unverified: oneOfWords(['ask', 'tell']).optional(),
  }).optional(),
  partialHandoff: oneOfWords(['proceed', 'retry', 'escalate']).optional(),
  constitution: words('the path of a file').nullable().optional(),
  checks: z
    .record(z.string(), z.union([command(), check], { error: 'a command, or a mapping with the key run' }), {
      error: 'a mapping from check names to commands',
    })
    .optional(),
  setup: z
    .union([command(), mapping({ run: command().optional(), timeoutMs: duration(), reads: globs().optional() })], {
      error: 'a command, or a mapping with the key run',
    })
    .optional(),
  judges: z
    .array(words('the name of a judge'), {
      error: 'a list of inspection, related:<check>, check:<check>, guard:<check>, sensitivity, witness, criteria',
    })
    .optional(),
  protect: globs().optional(),
  tests: mapping({
    related: z
      .record(z.string(), globs(), { error: 'a mapping from sources (globs) to lists of their tests' })
      .optional(),
    material: globs().optional(),
    product: globs().optional(),
  }).optional(),
  changedTests: oneOfWords(['ask', 'reviewers', 'block']).optional(),
  mutation: oneOfWords(['off', 'tell', 'block']).optional(),
  quarantine: z.array(words('the name of a test'), { error: 'a list of names of tests' }).optional(),
  witness: flag(),
  strategy: oneOfWords(['after', 'tdd', 'three-session']).optional(),
  acceptance: flag(),
  mergeMethod: oneOfWords(['squash', 'rebase', 'merge']).optional(),
  signWith: words('the path of an ssh key').nullable().optional(),
  workspace: workspace.optional(),
  keep: mapping({
    transcriptsDays: ceiling('days'),
    workspacesDays: ceiling('days'),
    archivesDays: ceiling('days'),
    branchesDays: ceiling('days'),
  }).optional(),
  limits: limits.optional(),
  ceilings: mapping(mapped(ceilingTable, ceiling)).optional(),
  routing: mapping({ fast: count(0), balanced: count(0) }).optional(),
  sandbox: oneOfWords(['auto', 'bwrap', 'none']).optional(),
  egress: oneOfWords(['open', 'closed']).optional(),
  workingHours: z
    .string({ error: hoursText })
    .refine((text) => workingHours(text, 0) !== null, { error: hoursText })
    .nullable()
    .optional(),
})

export type SettingsFile = z.infer<typeof settingsFile>
export type CheckFile = z.infer<typeof check>

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
