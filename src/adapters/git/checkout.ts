import type { Checkout } from '../../ports/repository/repository.ts'
import type { Clone, Identity } from './clone.ts'
import { bulkTimeoutMs, itemsOf, lineOf, userGit } from './run.ts'

export async function readCheckout(clone: Clone): Promise<Checkout> {
  const [bare, branches, identity] = await Promise.all([
    isBare(clone.user),
    userGit({ args: ['-C', clone.user, 'for-each-ref', '--format=%(refname:lstrip=2)', 'refs/heads'] }),
    readIdentity(clone.user),
  ])
  const names = lineOf(branches).split('\n').filter(Boolean)
  const head = bare ? await bareHead(clone.user) : await workingHead(clone.user)
  return { bare, ...head, branches: names, identity }
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
export async function dirtyFiles(worktree: string): Promise<string[]> {
  return (await status(worktree)).filter((item) => !item.startsWith('# ')).map(pathOf)
}

async function workingHead(folder: string): Promise<Pick<Checkout, 'branch' | 'head' | 'dirtyFiles'>> {
  const items = await status(folder)
  const header = (name: string): string | null =>
    items.find((item) => item.startsWith(`# ${name} `))?.slice(name.length + 3) ?? null
  const branch = header('branch.head')
  const head = header('branch.oid')
  return {
    branch: branch === '(detached)' ? null : branch,
    head: head === '(initial)' ? null : head,
    dirtyFiles: items.filter((item) => !item.startsWith('# ')).map(pathOf),
  }
}

async function status(folder: string): Promise<string[]> {
  const asked = ['status', '--porcelain=v2', '--branch', '-z', '--no-renames', '--no-ahead-behind']
  const scope = ['--untracked-files=no', '--ignore-submodules=all']
  return itemsOf(await userGit({ args: ['-C', folder, ...asked, ...scope], timeoutMs: bulkTimeoutMs }))
}

/** `1 XY sub mH mI mW hH hI path` for a change, `u XY sub m1 m2 m3 mW h1 h2 h3 path` for an unmerged file. */
function pathOf(item: string): string {
  return item
    .split(' ')
    .slice(item.startsWith('u') ? 10 : 8)
    .join(' ')
}

async function bareHead(folder: string): Promise<Pick<Checkout, 'branch' | 'head' | 'dirtyFiles'>> {
  const [branch, head] = await Promise.all([
    userGit({ args: ['-C', folder, 'symbolic-ref', '-q', '--short', 'HEAD'], accept: [1] }),
    userGit({ args: ['-C', folder, 'rev-parse', '-q', '--verify', 'HEAD^{commit}'], accept: [1] }),
  ])
  return { branch: lineOf(branch) || null, head: lineOf(head) || null, dirtyFiles: [] }
}

async function isBare(folder: string): Promise<boolean> {
  return lineOf(await userGit({ args: ['-C', folder, 'rev-parse', '--is-bare-repository'] })) === 'true'
}
