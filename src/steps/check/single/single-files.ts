import type { CommitId } from '../../../delivery/ids.ts'
import type { CheckPolicy } from '../../../delivery/policy.ts'
import type { Repository } from '../../../ports/repository.ts'
import { join } from '../../../proof/files/change.ts'
import { singleFilesCommand } from '../../../proof/related/single-files.ts'
import { checkFolders } from '../lines.ts'

const settings = [
  ...['package.json', '.mocharc.json', '.mocharc.yml', '.mocharc.yaml', '.mocharc.js', '.mocharc.cjs'],
  ...['GNUmakefile', 'makefile', 'Makefile'],
]

/** The check with a command for single files, which its owner gave or its runner is known to have; null: it has none. */
export async function withSingleFiles(
  repository: Repository,
  check: CheckPolicy,
  /** Whose scripts count: the base's, which no story has written. */
  commit: CommitId,
): Promise<(CheckPolicy & { related: string }) | null> {
  if (check.related !== null) return { ...check, related: check.related }
  const commands = new Set<string | null>()
  for (const folder of await checkFolders(repository, check, commit)) {
    const texts = await repository.readFiles(
      commit,
      settings.map((name) => join(folder, name)),
    )
    const named = [...texts].map(([path, bytes]) => [path.slice(path.lastIndexOf('/') + 1), textOf(bytes)] as const)
    commands.add(singleFilesCommand({ run: check.run, files: Object.fromEntries(named) }))
  }
  const [related] = commands
  return commands.size === 1 && typeof related === 'string' ? { ...check, related } : null
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
