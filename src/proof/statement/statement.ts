import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { TestCounts } from '../../delivery/judging/finding.ts'
import type { WorkspacePolicy } from '../../delivery/policy.ts'

export const statementType = 'https://in-toto.io/Statement/v1'
export const predicateType = 'https://in-toto.io/attestation/test-result/v0.1'

/** What is said of one merged commit: an in-toto statement with a test-result predicate. */
export interface Statement {
  _type: typeof statementType
  subject: [Subject<'commit', { gitCommit: CommitId }>, Subject<'tree', { gitTree: TreeId }>]
  predicateType: typeof predicateType
  predicate: {
    result: 'PASSED' | 'WARNED'
    configuration: CheckRecord[]
    /** Checks by name; those that passed with a concern, or with failures not charged, are among the warned ones. */
    passedTests: string[]
    warnedTests: string[]
    failedTests: string[]
    ropewalk_proof: ProofRecord
  }
}

interface Subject<Name, Digest> {
  name: Name
  digest: Digest
}

/** One check: a resource descriptor whose content is the command. */
export interface CheckRecord {
  name: string
  content: string
  annotations: {
    command: string
    /** Null: it was red, but only in tests that are red on the base too, or in quarantine. */
    exitCode: 0 | null
    counts: TestCounts | null
    /** Nothing but the exit code said so; absent: tests did, or it is not known. */
    byExitCode?: boolean
    durationMs: number
    environmentKey: string
    outputDigest: string
    /** How it is run and read, to run it again. */
    timeoutMs: number
    parser: string
    report: string | null
    packages: string[]
  }
}

export interface ProofRecord {
  delivery: string
  story: string
  /** As in the trailer of the commit. */
  chain: string | null
  /** The commit whose tree the checks ran on: this one, or the one that it landed with. */
  provenBy: { commit: CommitId; tree: TreeId }
  /** The story's commits before this one, oldest first, which carry no proof of their own; absent: there are none. */
  parts?: CommitId[]
  /** Who has read it besides the checks and found nothing: `agent <name>`. */
  reviewers: string[]
  concerns: string[]
  setup: { run: string; timeoutMs: number } | null
  /** `copy`: patterns of files that git ignores and that the place had. */
  workspace: Pick<WorkspacePolicy, 'ports' | 'services' | 'copy'>
}

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
      configuration: checks.map(checkRecord),
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

const checkRecord = ({ name, concerns: _, relative, ...rest }: Proven['checks'][number]): CheckRecord => ({
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
