import * as z from 'zod'
import type { DeliveryEvent } from '../delivery/events.ts'
import type { CommitId, TreeId } from '../delivery/ids.ts'
import { agentsThatLooked } from '../delivery/review/course/record.ts'

export const statementType = 'https://in-toto.io/Statement/v1'
export const predicateType = 'https://in-toto.io/attestation/test-result/v0.1'

const commitId = z.string().regex(/^[0-9a-f]{40,64}$/)
const textOrNull = z.string().nullable()
const texts = z.array(z.string())

/** One check: a resource descriptor whose content is the command. */
const checkRecord = z.object({
  name: z.string(),
  content: z.string(),
  annotations: z.object({
    command: z.string(),
    /** Null: it was red, but only in tests that are red on the base too, or in quarantine. */
    exitCode: z.literal(0).nullable(),
    counts: z
      .object({ total: z.int().min(0), passed: z.int().min(0), failed: z.int().min(0), skipped: z.int().min(0) })
      .nullable(),
    /** Nothing but the exit code said so; absent: tests did, or it is not known. */
    byExitCode: z.boolean().exactOptional(),
    durationMs: z.number(),
    environmentKey: z.string(),
    outputDigest: z.string().regex(/^[0-9a-f]{64}$/),
    /** How it is run and read, to run it again. */
    timeoutMs: z.number(),
    parser: z.string(),
    report: textOrNull,
    packages: texts,
  }),
})

const service = z.object({
  name: z.string(),
  up: z.string(),
  health: textOrNull,
  down: textOrNull,
  timeoutMs: z.number(),
})

const proofRecord = z.object({
  delivery: z.string(),
  story: z.string(),
  /** As in the trailer of the commit. */
  chain: textOrNull,
  /** The commit whose tree the checks ran on: this one, or the one that it landed with. */
  provenBy: z.object({ commit: commitId, tree: commitId }),
  /** The story's commits before this one, oldest first, which carry no proof of their own; absent: there are none. */
  parts: z.array(commitId).exactOptional(),
  /** Who has read it besides the checks and found nothing: `agent <name>`. */
  reviewers: texts,
  concerns: texts,
  setup: z.object({ run: z.string(), timeoutMs: z.number() }).nullable(),
  /** `copy`: patterns of files that git ignores and that the place had. */
  workspace: z.object({ ports: z.int(), services: z.array(service), copy: texts }),
})

/** What is said of one merged commit: an in-toto statement with a test-result predicate. */
export const statementShape = z.object({
  _type: z.literal(statementType),
  subject: z.tuple([
    z.object({ name: z.literal('commit'), digest: z.object({ gitCommit: z.string() }) }),
    z.object({ name: z.literal('tree'), digest: z.object({ gitTree: z.string() }) }),
  ]),
  predicateType: z.literal(predicateType),
  predicate: z.object({
    result: z.enum(['PASSED', 'WARNED']),
    configuration: z.array(checkRecord).min(1),
    /** Checks by name; those that passed with a concern, or with failures not charged, are among the warned ones. */
    passedTests: texts,
    warnedTests: texts,
    failedTests: texts,
    ropewalk_proof: proofRecord,
  }),
})

export type Statement = z.infer<typeof statementShape>
export type CheckRecord = z.infer<typeof checkRecord>
export type ProofRecord = z.infer<typeof proofRecord>

export interface Proven {
  commit: CommitId
  tree: TreeId
  checks: (Omit<CheckRecord['annotations'], 'exitCode'> & { name: string; concerns: string[]; relative: boolean })[]
  proof: Omit<ProofRecord, 'concerns'>
}

export function statementOf({ commit, tree, checks, proof }: Proven): Statement {
  const warned = checks.filter(({ concerns, relative }) => relative || concerns.length > 0).map(({ name }) => name)
  const passed = checks.map(({ name }) => name).filter((name) => !warned.includes(name))
  return {
    _type: statementType,
    subject: [
      { name: 'commit', digest: { gitCommit: commit } },
      { name: 'tree', digest: { gitTree: tree } },
    ],
    predicateType,
    predicate: {
      result: warned.length === 0 ? 'PASSED' : 'WARNED',
      configuration: checks.map(recordOf),
      passedTests: passed,
      warnedTests: warned,
      failedTests: [],
      ropewalk_proof: {
        ...proof,
        concerns: [...new Set(checks.flatMap(({ concerns }) => concerns))],
      },
    },
  }
}

const recordOf = ({ name, concerns: _, relative, ...rest }: Proven['checks'][number]): CheckRecord => ({
  name,
  content: contentOf(rest.command),
  annotations: { ...rest, exitCode: relative ? null : 0 },
})

/** As reviewers are told of. */
export const reviewerName = (agent: string): string => `agent ${agent}`

/** Every command that running it again would execute. */
export function commandsOf({ predicate }: Statement): string[] {
  const { setup, workspace } = predicate.ropewalk_proof
  return [
    ...predicate.configuration.map(({ annotations }) => annotations.command),
    ...(setup === null ? [] : [setup.run]),
    ...workspace.services.flatMap(({ up, health, down }) => [up, health ?? [], down ?? []].flat()),
  ]
}

/** A resource descriptor must have a content, a digest or an address. */
export const contentOf = (command: string): string => Buffer.from(command).toString('base64')

export interface CommitFacts {
  commit: string
  tree: string
  message: string
}

/** What does not fit between a statement, the commit that carries it, and itself. */
export function statementProblems(statement: Statement, facts: CommitFacts): string[] {
  const shape = shapeProblem(statement)
  if (shape !== null) return [`its statement is not whole: ${shape}`]
  return [...subjectProblems(statement, facts), ...trailerProblems(statement, facts), ...checkProblems(statement)]
}

/** Somebody else may have written it: nothing is taken for granted. */
function shapeProblem(statement: Statement): string | null {
  const [issue] = statementShape.safeParse(statement).error?.issues ?? []
  if (issue === undefined) return null
  const place = issue.path.join('.')
  return shapeWords.find(([fits]) => fits.test(place))?.[1] ?? `${place} is not as it must be`
}

/** What is wrong with it, by where. */
const shapeWords: [RegExp, string][] = [
  [/^subject\.\d\.digest/, 'a subject has no digest'],
  [/^subject/, 'it has not two subjects'],
  [/^predicate$|_proof(?:\.(?:delivery|story))?$/, 'it names no delivery and story'],
  [/_proof\.provenBy/, 'it does not say what was proven'],
  [/_proof\.parts/, 'its parts are no commits'],
  [/_proof\.(?:reviewers|concerns)/, 'it has no list of reviewers and concerns'],
  [/_proof\.(?:setup|workspace)/, 'it does not say how its place was set up'],
  [/Tests/, 'it does not say which checks passed'],
  [/configuration$/, 'it names no check'],
  [/annotations\.(?:timeoutMs|parser|report|packages)/, 'a check in it does not say how it is run'],
  [/configuration/, 'a check in it lacks its command, digest or counts'],
]

function subjectProblems({ subject, predicate }: Statement, { commit, tree }: CommitFacts): string[] {
  const [first, second] = subject
  const { provenBy } = predicate.ropewalk_proof
  const other = first.digest.gitCommit !== commit ? [`its statement is about ${first.digest.gitCommit}`] : []
  const otherTree = second.digest.gitTree !== tree ? [`its statement is about the tree ${second.digest.gitTree}`] : []
  const own = provenBy.commit === commit && provenBy.tree !== tree
  return [...other, ...otherTree, ...(own ? [`the checks ran on the tree ${provenBy.tree}, which is another`] : [])]
}

function trailerProblems({ predicate }: Statement, { message }: CommitFacts): string[] {
  const trailers = trailersIn(message)
  return (['delivery', 'story', 'chain'] as const).flatMap((key) => {
    const [told, noted] = [trailers[key] ?? null, predicate.ropewalk_proof[key] ?? null]
    return told === noted ? [] : [`its message says ${key} ${told ?? 'nothing'}, its statement ${noted ?? 'nothing'}`]
  })
}

function checkProblems({ predicate }: Statement): string[] {
  const { configuration, passedTests, warnedTests, failedTests, result } = predicate
  const listed = [...passedTests, ...warnedTests].sort()
  const named = configuration.map(({ name }) => name).sort()
  const good = result === (warnedTests.length === 0 ? 'PASSED' : 'WARNED') && failedTests.length === 0
  return [
    ...(good ? [] : [`its result is ${result}, with ${failedTests.length} failed and ${warnedTests.length} warned`]),
    ...(JSON.stringify(listed) === JSON.stringify(named) ? [] : ['the checks that passed are not those that ran']),
    ...configuration.flatMap(checkRecordProblems),
  ]
}

function checkRecordProblems({ name, content, annotations }: CheckRecord): string[] {
  const { command, counts, exitCode } = annotations
  const sum = counts === null ? 0 : counts.passed + counts.failed + counts.skipped
  return [
    ...(content === contentOf(command) ? [] : [`${name}: its content is not its command`]),
    ...(counts !== null && sum > counts.total ? [`${name}: ${sum} tests of ${counts.total} in all`] : []),
    ...(counts !== null && exitCode === 0 && counts.failed > 0
      ? [`${name}: exit code 0 with ${counts.failed} failed tests`]
      : []),
  ]
}

export interface ProofEntry {
  hash: string
  event: DeliveryEvent
}

/** What does not fit between a statement and the log of its delivery. */
export function recordProblems(statement: Statement, entries: ProofEntry[]): string[] {
  const { predicate, subject } = statement
  const { story, chain, provenBy, reviewers } = predicate.ropewalk_proof
  const commit = subject[0].digest.gitCommit
  const joined = entries.some(
    ({ event }) => event.type === 'LineAdvanced' && event.story === story && event.to === commit,
  )
  const events = entries.map(({ event }) => event)
  const heard = agentsThatLooked(events, story).map(reviewerName)
  const known = chain === null || entries.some(({ hash }) => hash === chain)
  return [
    ...(joined ? [] : [`the log does not have it as the commit of ${story}`]),
    ...(known ? [] : ['the log has no event with the hash that its message names']),
    ...reviewers.filter((one) => !heard.includes(one)).map((one) => `the log does not have it as reviewed by ${one}`),
    ...foreignTexts(statement, entries).map((command) => `the settings on record do not have "${command}"`),
    ...predicate.configuration
      .filter((record) => !entries.some(({ event }) => isJudgement(event, provenBy.tree, record)))
      .map(({ name }) => `the log has no such proof by ${name} of the tree ${provenBy.tree.slice(0, 10)}`),
  ]
}

/** What a statement would have run again, and lent to that, must have been pinned. */
function foreignTexts(statement: Statement, entries: ProofEntry[]): string[] {
  const pinned = entries.flatMap(({ event }) => {
    if (event.type !== 'PolicyPinned') return []
    const { checks, setup, workspace } = event.policy
    const services = workspace.services.flatMap(({ up, health, down }) => [up, health, down])
    return [...checks.map(({ run }) => run), setup?.run ?? null, ...services]
  })
  const lent = entries.flatMap(({ event }) => (event.type === 'PolicyPinned' ? event.policy.workspace.copy : []))
  const { copy } = statement.predicate.ropewalk_proof.workspace
  return [
    ...commandsOf(statement).filter((command) => !pinned.includes(command)),
    ...copy.filter((pattern) => !lent.includes(pattern)),
  ]
}

function isJudgement(event: DeliveryEvent, tree: string, { name, annotations }: CheckRecord): boolean {
  if (event.type !== 'Judged' || event.verdict.status !== 'passed' || event.verdict.proof === null) return false
  const { proof } = event.verdict
  return (
    proof.tree === tree &&
    proof.check === name &&
    proof.command === annotations.command &&
    proof.outputDigest === annotations.outputDigest &&
    proof.environmentKey === annotations.environmentKey &&
    proof.durationMs === annotations.durationMs &&
    proof.byExitCode === annotations.byExitCode &&
    proof.counts?.total === annotations.counts?.total &&
    proof.counts?.passed === annotations.counts?.passed &&
    proof.counts?.failed === annotations.counts?.failed
  )
}

/** Trailers of ours in a commit message: of its last paragraph, and only when it is not the first. */
export function trailersIn(message: string): Record<string, string> {
  const paragraphs = message.trim().split(/\n\s*\n/)
  const last = paragraphs.length < 2 ? '' : paragraphs.at(-1)!
  const found = last.split('\n').flatMap((line) => {
    const match = /^Ropewalk-(Delivery|Story|Chain):\s*(.*\S)\s*$/.exec(line)
    return match === null ? [] : [[match[1]!.toLowerCase(), match[2]!] as const]
  })
  return Object.fromEntries(found)
}
