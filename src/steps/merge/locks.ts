import { posix } from 'node:path'
import type { CommitId } from '../../delivery/ids.ts'
import type { Conflict } from '../../ports/repository/composing.ts'
import { inCleanPlace } from '../place/clean.ts'
import { composedRef, conflictedRef } from '../place/refs.ts'
import { endOf, isGood, runPinned, tailOf } from '../place/run-line.ts'
import { readText } from '../place/text.ts'
import type { Laying } from './message.ts'

interface Locks {
  made: Map<string, string>
  /** Why one could not be made, by path. */
  failed: Map<string, string>
}

/** Lock files in conflict, made anew by their tools in a clean place; `commit` has the merged manifests, and files to start from. */
export async function makeLocks(
  work: Laying,
  { commit, files }: { commit: CommitId; files: Conflict[] },
): Promise<Locks> {
  const locks: Locks = { made: new Map(), failed: new Map() }
  const wanted = files.filter(({ path, kind }) => kind === 'content' && lockToolFor(path) !== null)
  const ready = wanted.filter(({ path }) => {
    const manifest = brokenManifest(path, files)
    if (manifest !== null) locks.failed.set(path, `${manifest} is in conflict too, and comes first`)
    return manifest === null
  })
  if (ready.length === 0) return locks
  const { input, step, repository } = work
  const readRef = (of: typeof composedRef) => repository.readRef(of(input.delivery, step))
  // A tool may find other versions when it is asked again: what an earlier start of this very step has made stays.
  const earlier = (await readRef(composedRef)) ?? (await readRef(conflictedRef))
  await inCleanPlace(work, { name: '-locks', commit, dressed: true }, async (place) => {
    for (const [index, { path }] of ready.entries()) {
      const before = earlier === null ? null : await repository.readFile(earlier, path)
      if (before !== null) locks.made.set(path, before)
      else await makeLock(work, { place, path, index, locks })
    }
  })
  return locks
}

function brokenManifest(path: string, conflicts: Conflict[]): string | null {
  const folder = posix.dirname(path) === '.' ? '' : `${posix.dirname(path)}/`
  const { manifests } = lockToolFor(path)!
  const broken = conflicts.find((one) => one.path.startsWith(folder) && manifests.includes(posix.basename(one.path)))
  return broken?.path ?? null
}

async function makeLock(
  work: Laying,
  { place, path, index, locks }: { place: string; path: string; index: number; locks: Locks },
): Promise<void> {
  const { tool, run } = lockToolFor(path)!
  const exit = await runPinned(work, {
    run: `command -v ${tool} >/dev/null 2>&1 || exit 127\n${run}`,
    cwd: posix.join(place, posix.dirname(path)),
    // It asks the registry, as set-up does.
    site: { place, fetches: true, needs: ['network'] },
    timeoutMs: 300_000,
    spool: `${work.step.id}-${work.try}-${index}.locking`,
    onLine: null,
  })
  const text = isGood(exit) ? await readText(posix.join(place, path)) : null
  if (text !== null && text.trim() !== '') return void locks.made.set(path, text)
  if (exit.reason === 'exited' && exit.code === 127)
    return void locks.failed.set(path, `${tool} is not on this machine`)
  const output = work.world.redact(tailOf(exit, 1_000))
  const end = isGood(exit) ? 'it left no readable file' : endOf(exit)
  locks.failed.set(path, `"${run}" did not make it: ${end}${output === '' ? '' : `\n${output}`}`)
}

/** A tool that makes a lock file from its manifest, and changes nothing in it that need not change. */
export interface LockTool {
  tool: string
  manifests: string[]
  run: string
}

/** The tool of a lock file; null for every other file. */
export const lockToolFor = (path: string): LockTool | null => tools[posix.basename(path)] ?? null

const npm: LockTool = {
  tool: 'npm',
  manifests: ['package.json'],
  run: 'npm install --package-lock-only --ignore-scripts --no-audit --no-fund',
}

const tools: Record<string, LockTool> = {
  'package-lock.json': npm,
  'npm-shrinkwrap.json': npm,
  'yarn.lock': {
    tool: 'yarn',
    manifests: ['package.json', '.yarnrc.yml'],
    run: 'case "$(yarn --version)" in 1.*) yarn install --ignore-scripts --non-interactive ;; *) YARN_ENABLE_SCRIPTS=0 YARN_ENABLE_IMMUTABLE_INSTALLS=0 yarn install --mode=update-lockfile ;; esac',
  },
  'pnpm-lock.yaml': {
    tool: 'pnpm',
    manifests: ['package.json', 'pnpm-workspace.yaml'],
    run: 'pnpm install --lockfile-only --ignore-scripts --no-frozen-lockfile',
  },
  'Cargo.lock': { tool: 'cargo', manifests: ['Cargo.toml'], run: 'cargo update --workspace' },
  'go.sum': { tool: 'go', manifests: ['go.mod'], run: 'go mod tidy' },
  'poetry.lock': {
    tool: 'poetry',
    manifests: ['pyproject.toml'],
    run: 'poetry lock --no-update --no-interaction || poetry lock --no-interaction',
  },
  'uv.lock': { tool: 'uv', manifests: ['pyproject.toml'], run: 'uv lock' },
  'Gemfile.lock': { tool: 'bundle', manifests: ['Gemfile'], run: 'bundle lock' },
  'composer.lock': {
    tool: 'composer',
    manifests: ['composer.json'],
    run: 'composer update --minimal-changes --no-install --no-scripts --no-plugins --no-interaction',
  },
}
