// What does not belong into a commit: built, installed, secret or ours.
import type { Finding } from '../../delivery/judging/finding.ts'
import { coversAny } from '../../std/glob.ts'
import { baseName, type Change, isFixture } from '../files/change.ts'
import { isInTestFolder } from '../files/test-file.ts'
import { report } from './report.ts'

interface Declared {
  files: readonly string[]
}

export function artefactFindings(changes: readonly Change[], story: Declared, ownText: readonly string[]): Finding[] {
  return changes
    .filter((change) => change.status !== 'deleted' && change.newMode !== '160000')
    .flatMap((change) => {
      const found =
        ownFile(change, story, ownText) ??
        secretFile(change) ??
        built(change, story) ??
        unpointed(change) ??
        binary(change, story)
      return found === null ? [] : [found]
    })
}

const at = (change: Change, rule: string, message: string): Finding => report({ rule, file: change.path, message })

const arrives = (change: Change): boolean => change.status === 'added' || change.status === 'renamed'

function ownFile(change: Change, story: Declared, ownText: readonly string[]): Finding | null {
  const name = baseName(change.path)
  const named =
    /(?:^|\/)\.ropewalk/i.test(change.path) || /^ropewalk[-_.](?:prompt|transcript|result|story)/i.test(name)
  const stray =
    arrives(change) &&
    !coversAny(story.files, change.path) &&
    /^(?:prompt|transcript|conversation|agent[-_](?:log|output|transcript|notes))\.(?:md|txt|jsonl?|log)$/i.test(
      change.path,
    )
  const quotes = ownText.some((text) => change.after?.includes(text) && !change.before?.includes(text))
  if (named || stray) return at(change, 'own-file', 'this file belongs to the orchestration, not to the project')
  return quotes ? at(change, 'own-file', 'the instructions of this story were copied into this file') : null
}

function secretFile(change: Change): Finding | null {
  const name = baseName(change.path)
  const environment = /^\.env(?:\.|$)/.test(name) && !/\.(?:example|sample|template|dist|defaults|schema)$/.test(name)
  const key = /^(?:id_(?:rsa|dsa|ecdsa|ed25519)|\.netrc|\.pgpass|\.git-credentials)$/.test(name)
  if (!arrives(change) || isFixture(change.path) || !(environment || key)) return null
  return at(change, 'secret-file', 'files of this kind hold secrets and stay out of the repository')
}

const neverSource =
  /(?:^|\/)(?:node_modules|bower_components|__pycache__|\.venv|\.nyc_output|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.gradle|\.next|\.nuxt|\.turbo|\.parcel-cache|\.svelte-kit|\.DS_Store|Thumbs\.db|lcov-report)(?:\/|$)|\.(?:pyc|pyo|tsbuildinfo|orig|rej|swp|swo)$|(?:^|\/)(?:npm-debug|yarn-error|yarn-debug|pnpm-debug)\.log|(?:^|\/)coverage\/(?:lcov\.info|coverage-final\.json|clover\.xml)$|(?:^|\/)target\/(?:debug|release)\/|~$/

function built(change: Change, story: Declared): Finding | null {
  if (!arrives(change) || isFixture(change.path) || coversAny(story.files, change.path)) return null
  if (neverSource.test(change.path))
    return at(change, 'build-artefact', 'this is installed or generated, and not for the repository')
  if (/^(?:.*\/)?(?:dist|build|out)\/.*\.(?:map|min\.js|bundle\.js|d\.ts)$/.test(change.path))
    return { ...at(change, 'build-artefact', 'this looks like the output of a build'), severity: 'suggestion' }
  return null
}

const pointer = 'version https://git-lfs.github.com/spec/'

/** An empty file is its own pointer. */
function unpointed(change: Change): Finding | null {
  if (!change.before?.startsWith(pointer) || change.newMode === '120000') return null
  if (change.after?.startsWith(pointer) || change.after === '') return null
  return at(
    change,
    'pointer-replaced',
    'this was a pointer to a large file (Git LFS), and no longer is one: keep a pointer here, not the file itself',
  )
}

const program =
  /\.(?:exe|dll|so|dylib|o|a|obj|lib|class|wasm|jar|war|node|bin|dmg|iso|deb|rpm|apk|msi|img|zip|tar|gz|tgz|bz2|xz|zst|7z|rar|db|sqlite3?)$/i
const media =
  /\.(?:png|jpe?g|gif|webp|avif|ico|icns|bmp|tiff?|svg|woff2?|ttf|otf|eot|mp3|wav|ogg|flac|mp4|webm|mov|pdf|psd|glb|xlsx|docx|pptx)$/i

/** Pictures and fonts are part of a product, and what tests read may hold any character; programs and archives are not, unless the story names them. */
function binary(change: Change, story: Declared): Finding | null {
  if (!change.binary || coversAny(story.files, change.path)) return null
  if (media.test(change.path) && change.newMode !== '100755') return null
  if ((isFixture(change.path) || isInTestFolder(change.path)) && !program.test(change.path)) return null
  return at(change, 'binary-file', 'a binary file that the story does not declare')
}
