import type { ContextTier } from '../../delivery/intent/context.ts'
import type { Repository } from '../../ports/repository.ts'
import { identityFiles } from '../../proof/intent/context/identity.ts'
import { linksIn } from '../../proof/intent/context/links.ts'
import { type RankedFile, rankFiles } from '../../proof/intent/context/rank.ts'
import { rareWords } from '../../proof/intent/context/rare-words.ts'

export interface Found {
  tier: ContextTier
  source: string
  text: string
}

export interface Left {
  source: string
  bytes: number
  why: string
}

interface About {
  text: string
  base: string
  /** Configured globs. */
  identity: string[]
}

type Reads = Pick<Repository, 'listFiles' | 'readFiles' | 'search' | 'touching'>

/** All that the repository says about a requirement, the weightiest first within each tier. */
export async function gather(
  repository: Reads,
  { text, base, identity }: About,
): Promise<{ found: Found[]; unreachable: { source: string; why: string }[] }> {
  const words = rareWords(text)
  const [files, lines] = await Promise.all([
    repository.listFiles(base),
    repository.search({ commit: base, words, perFile: linesPerFile }),
  ])
  const own = identityFiles(files, identity).slice(0, mostIdentity)
  const { paths, addresses } = linksIn(text, files)
  const linked = paths.filter((path) => !own.includes(path)).slice(0, mostLinked)
  const ranked = rankFiles(lines, { words, files }).filter(({ path }) => ![...own, ...linked].includes(path))
  const documents = ranked.filter(({ path }) => isDocument(path)).slice(0, mostDocuments)
  const code = ranked.filter(({ path }) => !isDocument(path)).slice(0, mostCode)
  const wanted = [...own, ...linked, ...documents.map(({ path }) => path)]
  const about = [...linked, ...code.slice(0, 3).map(({ path }) => path)]
  const [contents, history] = await Promise.all([
    repository.readFiles(base, wanted),
    repository.touching({ commit: base, paths: about, limit: mostCommits }),
  ])
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
    unreachable: addresses.map((source) => ({ source, why: 'addresses are not fetched; put it into a file' })),
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
function asText(tier: ContextTier, source: string, bytes: Uint8Array | undefined): Found[] {
  if (bytes === undefined || bytes.includes(0)) return []
  const text = Buffer.from(bytes).toString('utf8').trim()
  return text === '' ? [] : [{ tier, source, text }]
}

const asLines = ({ path, words, lines }: RankedFile): Found => ({
  tier: 3,
  source: path,
  text: [
    `${path} (${words.join(', ')})`,
    ...lines.map(({ line, text }) => `${line}: ${text.trim().slice(0, 200)}`),
  ].join('\n'),
})
