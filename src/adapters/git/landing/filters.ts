import { basename } from 'node:path/posix'
import { failure } from '../failures.ts'
import { bulkTimeoutMs, itemsOf, userGit } from '../run.ts'
import type { Landing, Tree } from './landing.ts'
import { changedPaths } from './scratch.ts'

const mostPaths = 200

/**
 * What git says of a file that lands and that a filter of the user fails for (Git LFS that is not installed); null: all
 * can be written. Each is filtered for real, into nothing: once the branch has moved it would be too late to find out.
 */
export async function failingFilter(tree: Tree, landing: Landing): Promise<string | null> {
  const paths = await filteredPaths(tree, landing)
  for (let at = 0; at < paths.length; at += mostPaths) {
    // Unlike other commands, this one goes by the attributes of the commit, which the landing may bring.
    const args = ['archive', '--format=tar', '--output=/dev/null', landing.to, '--', ...paths.slice(at, at + mostPaths)]
    const output = await userGit({ args: ['-C', tree.path, ...args], accept: [128], timeoutMs: bulkTimeoutMs })
    if (output.code === 0) continue
    const said = /^fatal: (.+: smudge filter .+ failed)$/m.exec(output.stderr)
    if (said === null) throw failure(args, output)
    return said[1]!
  }
  return null
}

/** Those that a filter may be for. */
async function filteredPaths(tree: Tree, landing: Landing): Promise<string[]> {
  const filters = ['config', '--get-regexp', '^filter\\..*\\.(smudge|process)$']
  if ((await userGit({ args: ['-C', tree.path, ...filters], accept: [1] })).code !== 0) return []
  const paths = await changedPaths(tree, landing, ['--diff-filter=d'])
  // What the checkout says of attributes holds until they are what lands.
  if (paths.some((path) => basename(path) === '.gitattributes')) return paths
  const asked = ['-C', tree.path, 'check-attr', '-z', '--stdin', 'filter']
  const input = paths.map((path) => `${path}\0`).join('')
  const items = itemsOf(await userGit({ args: asked, input, timeoutMs: bulkTimeoutMs }))
  return paths.filter((_, i) => !['unspecified', 'unset', 'set'].includes(items[i * 3 + 2]!))
}
