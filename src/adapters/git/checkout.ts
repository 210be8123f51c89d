import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Checkout } from '../../ports/repository/repository.ts'
import type { Clone, Identity } from './clone.ts'
import { bulkTimeoutMs, type GitOutput, itemsOf, singleLine, userGit } from './program/run.ts'

export async function readCheckout(clone: Clone): Promise<Checkout> {
  const at = ['-C', clone.user]
  const [branches, head] = await Promise.all([
    userGit({ args: [...at, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'] }),
    clone.bare ? bareHead(clone) : workingHead(clone.user),
  ])
  // Where there was none when the clone was opened, somebody may have set it since.
  const identity = clone.identity ?? (await readIdentity(clone.user))
  return { bare: clone.bare, ...head, branches: singleLine(branches).split('\n').filter(Boolean), identity }
}

/** From the user's whole configuration, so that their global name counts; null unless both are set. */
export async function readIdentity(folder: string): Promise<Identity | null> {
  const asked = ['config', '-z', '--get-regexp', '^user\\.(name|email)$']
  const output = await userGit({ args: ['-C', folder, ...asked], accept: [1] })
  const values = new Map(
    itemsOf(output).map((item) => {
      const end = item.indexOf('\n')
      return [item.slice(0, end), item.slice(end + 1).trim()]
    }),
  )
  const name = values.get('user.name')
  const email = values.get('user.email')
  return name && email ? { name, email } : null
}

/** Tracked files that differ from HEAD, staged or not. Submodules keep their own house. */
export const statusArgs = [
  ...['status', '--porcelain=v2', '--branch', '-z', '--no-renames', '--no-ahead-behind'],
  ...['--untracked-files=no', '--ignore-submodules=all'],
]

export const dirtyIn = (status: GitOutput): string[] =>
  itemsOf(status)
    .filter((item) => !item.startsWith('# '))
    .map(pathOf)

/** `1 XY sub mH mI mW hH hI path` for a change, `u XY sub m1 m2 m3 mW h1 h2 h3 path` for an unmerged file. */
const pathOf = (item: string): string =>
  item
    .split(' ')
    .slice(item.startsWith('u') ? 10 : 8)
    .join(' ')

type Head = Pick<Checkout, 'branch' | 'head' | 'dirtyFiles'>

async function workingHead(folder: string): Promise<Head> {
  const status = await userGit({ args: ['-C', folder, ...statusArgs], timeoutMs: bulkTimeoutMs })
  const header = (name: string, none: string): string | null => {
    const said = itemsOf(status).find((item) => item.startsWith(`# ${name} `))
    return said === undefined || said.endsWith(` ${none}`) ? null : said.slice(name.length + 3)
  }
  return {
    branch: header('branch.head', '(detached)'),
    head: header('branch.oid', '(initial)'),
    dirtyFiles: dirtyIn(status),
  }
}

async function bareHead({ theirs, commonDir }: Clone): Promise<Head> {
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(await readFile(join(commonDir, 'HEAD'), 'utf8'))?.[1] ?? null
  return { branch, head: (await theirs.info('HEAD^{commit}'))?.id ?? null, dirtyFiles: [] }
}
