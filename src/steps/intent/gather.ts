import type { ContextTier } from '../../delivery/intent/context.ts'
import { TransientError } from '../../ports/errors.ts'
import type { Commits, Searches } from '../../ports/repository/commits.ts'
import { identityFiles, isPrefixed } from '../../proof/intent/identity.ts'
import {
  linksIn,
  type RankedFile,
  rankFiles,
  rareWords,
  sampleOf,
  uncommon,
} from '../../proof/intent/relevant-files.ts'
import { missingDocuments } from '../../proof/intent/wording.ts'

export interface Gathered {
  tier: ContextTier
  source: string
  text: string
}

export interface LeftOut {
  source: string
  bytes: number
  why: string
}

export interface Unreachable {
  source: string
  why: string
}

interface About {
  text: string
  base: string
  /** Configured globs. */
  identity: string[]
}

/** All that the repository says about a requirement, the weightiest first within each tier. */
export async function gather(
  repository: Commits & Searches,
  { text, base, identity }: About,
): Promise<{ found: Gathered[]; unreachable: Unreachable[]; isPrefixed: boolean }> {
  const files = await repository.listFiles(base)
  const own = identityFiles(files, identity).slice(0, mostIdentity)
  const unreachable = missingDocuments(text, files).map((source) => ({ source, why: 'it is not in the repository' }))
  const linked = linksIn(text, files)
    .filter((path) => !own.includes(path))
    .slice(0, mostLinked)
  const sample = sampleOf(files)
  const read = await repository.readFiles(base, [...own, ...linked, ...sample])
  const words = uncommon(
    rareWords(text),
    sample.flatMap((path) => textOf(read.get(path)) ?? []),
  )
  const searched = repository.search({ commit: base, words, perFile: linesPerFile })
  const lines = await listedIfLate('the code', searched, unreachable)
  const ranked = rankFiles(lines, { words, files }).filter(({ path }) => ![...own, ...linked].includes(path))
  const documents = ranked.filter(({ path }) => isDocument(path)).slice(0, mostDocuments)
  const code = ranked.filter(({ path }) => !isDocument(path)).slice(0, mostCode)
  const about = [...linked, ...code.slice(0, 3).map(({ path }) => path)]
  const [more, history, last] = await Promise.all([
    repository.readFiles(
      base,
      documents.map(({ path }) => path),
    ),
    about.length === 0
      ? []
      : listedIfLate(
          'the history',
          repository.touching({ commit: base, paths: about, limit: mostCommits }),
          unreachable,
        ),
    repository.touching({ commit: base, paths: [], limit: 20 }),
  ])
  const contents = new Map([...read, ...more])
  const fileAs = (tier: ContextTier) => (path: string) => asText(tier, path, contents.get(path))
  const commits = history.map(({ commit, day, subject }) => `${commit.slice(0, 10)} ${day} ${subject}`)
  return {
    found: [
      ...own.flatMap(fileAs(0)),
      ...linked.flatMap(fileAs(1)),
      ...(commits.length === 0
        ? []
        : [{ tier: 1 as const, source: `history of ${about.join(', ')}`, text: commits.join('\n') }]),
      ...documents.map(({ path }) => path).flatMap(fileAs(2)),
      ...code.map(asLines),
    ],
    isPrefixed: isPrefixed(last.map(({ subject }) => subject)),
    unreachable,
  }
}

/** A source that does not answer in time holds nobody up; that it was not heard is on record. */
async function listedIfLate<T>(source: string, asked: Promise<T[]>, unreachable: Unreachable[]): Promise<T[]> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof TransientError)) throw error
    unreachable.push({ source, why: error.message })
    return []
  }
}

const linesPerFile = 6
const mostIdentity = 40
const mostLinked = 12
const mostDocuments = 6
const mostCode = 24
const mostCommits = 12

const isDocument = (path: string): boolean => /\.(?:md|mdx|txt|rst|adoc)$/i.test(path)

/** What is no text is not read by anybody. */
function asText(tier: ContextTier, source: string, bytes: Uint8Array | undefined): Gathered[] {
  const text = textOf(bytes)?.trim() ?? ''
  return text === '' ? [] : [{ tier, source, text }]
}

const textOf = (bytes: Uint8Array | undefined): string | null =>
  bytes === undefined || bytes.includes(0) ? null : Buffer.from(bytes).toString('utf8')

const asLines = ({ path, words, lines }: RankedFile): Gathered => ({
  tier: 3,
  source: path,
  text: [
    `${path} (${words.join(', ')})`,
    ...lines.map(({ line, text }) => `${line}: ${text.trim().slice(0, 200)}`),
  ].join('\n'),
})
