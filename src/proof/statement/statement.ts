import * as z from 'zod'
import type { CommitId, TreeId } from '../../delivery/ids.ts'

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
