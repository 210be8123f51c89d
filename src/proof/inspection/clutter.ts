// What does not belong into a commit: built, installed, secret, ours, left by a merge, or leading out of the repository.
import type { Finding } from '../../delivery/judging/finding.ts'
import { coversAny } from '../../std/glob.ts'
import { type Change, folderOf, isFixture } from '../files/change.ts'
import { isInTestFolder } from '../files/test-file.ts'
import { objection } from './objection.ts'

interface Known {
  /** That the story declares. */
  files: readonly string[]
  /** Sentences that only our own prompts contain. */
  ownText: readonly string[]
}

/** Of each file that is there afterwards: the first rule that it breaks, and what is left of a merge. */
export function clutterFindings(changes: readonly Change[], { files, ownText }: Known): Finding[] {
  return changes
    .filter(({ status }) => status !== 'deleted')
    .flatMap((change) => {
      const known = { ownText, isDeclared: coversAny(files, change.path) }
      const found = rulesFor(change).find(({ breaks }) => breaks(change, known))
      const evidence = isLink(change) ? (change.after ?? '') : ''
      const first = found === undefined ? [] : [objection({ ...found, file: change.path, evidence })]
      return [...first, ...conflictIn(change)]
    })
}

interface Rule {
  rule: string
  message: string
  breaks(change: Change, known: { ownText: readonly string[]; isDeclared: boolean }): boolean
}

const isLink = ({ newMode }: Change): boolean => newMode === '120000'
const isRepository = ({ newMode }: Change): boolean => newMode === '160000'
const arrives = ({ status }: Change): boolean => status === 'added' || status === 'renamed'

/** A repository inside has no text of its own. */
const rulesFor = (change: Change): Rule[] => (isRepository(change) ? [repositoryInside] : fileRules)

const repositoryInside: Rule = {
  rule: 'repository-inside',
  message: 'a git repository was put into this one',
  breaks: ({ oldMode }, { isDeclared }) => oldMode !== '160000' && !isDeclared,
}

const ownFolder = /(?:^|\/)(?:\.ropewalk|ropewalk[-_.](?:prompt|transcript|result|story)[^/]*$)/i
const ownAtRoot =
  /^(?:prompt|transcript|conversation|agent[-_](?:log|output|transcript|notes))\.(?:md|txt|jsonl?|log)$/i

const secretFile =
  /(?:^|\/)(?:\.env(?:\.(?![^/]*\b(?:example|sample|template|dist|defaults|schema)$)[^/]*)?|id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|\.pgpass|\.git-credentials)$/

const neverSource =
  /(?:^|\/)(?:node_modules|bower_components|__pycache__|\.venv|\.nyc_output|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.gradle|\.next|\.nuxt|\.turbo|\.parcel-cache|\.svelte-kit|\.DS_Store|Thumbs\.db|lcov-report)(?:\/|$)|\.(?:pyc|pyo|tsbuildinfo|orig|rej|swp|swo)$|(?:^|\/)(?:npm-debug|yarn-error|yarn-debug|pnpm-debug)\.log|(?:^|\/)coverage\/(?:lcov\.info|coverage-final\.json|clover\.xml)$|(?:^|\/)target\/(?:debug|release)\/|~$/

const pointer = 'version https://git-lfs.github.com/spec/'

const program =
  /\.(?:exe|dll|so|dylib|o|a|obj|lib|class|wasm|jar|war|node|bin|dmg|iso|deb|rpm|apk|msi|img|zip|tar|gz|tgz|bz2|xz|zst|7z|rar|db|sqlite3?)$/i
const media =
  /\.(?:png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|svg|woff2?|ttf|otf|eot|mp3|wav|ogg|flac|mp4|webm|mov|pdf|psd|glb|xlsx|docx|pptx)$/i

const fileRules: Rule[] = [
  {
    rule: 'link-outside',
    message: 'this link points outside the repository',
    breaks: (change) => isLink(change) && leadsOutside(change.path, change.after),
  },
  {
    rule: 'own-file',
    message: 'this file belongs to the orchestration, not to the project',
    breaks: (change, { isDeclared }) =>
      ownFolder.test(change.path) || (arrives(change) && !isDeclared && ownAtRoot.test(change.path)),
  },
  {
    rule: 'own-file',
    message: 'the instructions of this story were copied into this file',
    breaks: ({ before, after }, { ownText }) =>
      ownText.some((text) => after?.includes(text) && !before?.includes(text)),
  },
  {
    rule: 'secret-file',
    message: 'files of this kind hold secrets and stay out of the repository',
    breaks: (change) => arrives(change) && !isFixture(change.path) && secretFile.test(change.path),
  },
  {
    rule: 'build-artefact',
    message: 'this is installed or generated, and not for the repository',
    breaks: (change, { isDeclared }) =>
      arrives(change) && !isDeclared && !isFixture(change.path) && neverSource.test(change.path),
  },
  {
    rule: 'pointer-replaced',
    message:
      'this was a pointer to a large file (Git LFS), and no longer is one: keep a pointer here, not the file itself',
    // An empty file is its own pointer.
    breaks: (change) =>
      change.before?.startsWith(pointer) === true &&
      !isLink(change) &&
      change.after !== '' &&
      !change.after?.startsWith(pointer),
  },
  {
    rule: 'binary-file',
    message: 'a binary file that the story does not declare',
    // Pictures and fonts are part of a product, and what tests read may hold any character.
    breaks: ({ path, binary, newMode }, { isDeclared }) =>
      binary &&
      !isDeclared &&
      !(media.test(path) && newMode !== '100755') &&
      !((isFixture(path) || isInTestFolder(path)) && !program.test(path)),
  },
]

function leadsOutside(path: string, target: string | null): boolean {
  if (target === null || /^(?:\/|~|[A-Za-z]:)/.test(target)) return true
  let depth = 0
  for (const part of [...folderOf(path).split('/'), ...target.trim().split(/[/\\]/)]) {
    if (part === '..') depth -= 1
    else if (part === '.git') return true
    else if (part !== '' && part !== '.') depth += 1
    if (depth < 0) return true
  }
  return false
}

/** More marks of a conflict than there were. A row of equals signs alone is none: it underlines headings. */
function conflictIn(change: Change): Finding[] {
  const { path, before, after } = change
  if (after === null || isLink(change) || isFixture(path)) return []
  const marks = conflictMarks(path, after)
  if (marks.length <= conflictMarks(path, before ?? '').length) return []
  const [line] = marks as [number, ...number[]]
  const evidence = after.split('\n').slice(Math.max(0, line - 2), line + 10)
  return [
    objection({
      rule: 'conflict-marker',
      file: path,
      line,
      message: 'a merge conflict is left in this file',
      evidence: evidence.join('\n'),
    }),
  ]
}

/** Lines with marks; in prose only a whole conflict outside code blocks counts, for there they may be the topic. */
function conflictMarks(path: string, text: string): number[] {
  const isProse = /\.(?:md|markdown|mdx|rst|adoc|txt|eml)$/i.test(path)
  const read = isProse ? text.replace(/^\s*(```|~~~)[\s\S]*?^\s*\1/gm, (block) => block.replace(/[^\n]/g, '')) : text
  const lines = read.split('\n').flatMap((line, at) => (/^(?:<{7}|>{7}|\|{7})(?:\s|$)/.test(line) ? [at + 1] : []))
  return isProse && !(/^<{7}/m.test(read) && /^>{7}/m.test(read)) ? [] : lines
}
