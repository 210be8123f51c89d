import { chmodSync, lstatSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openYard, writes } from '../repository-walk.ts'
import { git, makeUserRepository } from '../user-repository.ts'

/** Everything below, but for what git keeps and what leads elsewhere. */
function all(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).filter((one) => one.name !== '.git')
  return entries.flatMap((one) => {
    if (one.name.includes('\ufffd')) return []
    const path = join(folder, one.name)
    return one.isDirectory() ? [path, ...all(path)] : one.isSymbolicLink() ? [] : [path]
  })
}

const odd = { 'a b/ü.txt': 'a\n', 'x/y/z/deep': 'z\n', 'x/long-enough-to-be-padded-otherwise': '\n', top: 't\n' }

/** Two commits of long ago. */
async function openOdd() {
  const user = makeUserRepository(odd)
  symlinkSync('top', join(user, 'link'))
  chmodSync(join(user, 'top'), 0o755)
  writeFileSync(Buffer.concat([Buffer.from(`${user}/caf`), Buffer.from([0xe9])]), 'not UTF-8\n')
  commitLongAgo(user)
  writes({ 'x/new.txt': 'n\n', top: 'u\n' })(user)
  commitLongAgo(user)
  return await openYard(user, 'main')
}

function commitLongAgo(user: string): void {
  git(user, 'add', '-A')
  const head = git(user, 'rev-parse', 'HEAD')
  const person = 'Ada <ada@example.org> 1600000000 +0000'
  const tree = git(user, 'write-tree')
  const text = `tree ${tree}\nparent ${head}\nauthor ${person}\ncommitter ${person}\n\nOdd\n`
  writeFileSync(join(user, '.git/odd'), text)
  git(user, 'reset', '-q', '--hard', git(user, 'hash-object', '-t', 'commit', '-w', '.git/odd'))
}

it('a dressed place looks like an old checkout, to whoever looks at times and to git', async () => {
  const { repository, base, at } = await openOdd()
  const former = git(repository.objectsFolder, 'rev-parse', `${base}~1`)
  const place = at('place')
  for (const commit of [former, base, former]) {
    await repository.exportTree(commit, place)
    await repository.dressPlace({ path: place, commit, branch: 'main' })
    expect(all(place).filter((path) => lstatSync(path).mtimeMs > 1_600_000_000_000)).toEqual([])
    writeFileSync(join(place, '.git/objects/info/alternates'), `${repository.objectsFolder}\n`)
    // Neither looks into a file whose time is as noted.
    git(place, 'diff-files', '--quiet')
    git(place, 'diff-index', '--quiet', 'HEAD')
    expect(git(place, 'ls-files', '--debug', 'top')).toMatch(/mtime: 1600000000:0/)
    await repository.leavePlace(place)
  }
})

it('what was written to a place is seen by git after it was dressed', async () => {
  const { repository, base, at } = await openOdd()
  const place = at('place')
  await repository.exportTree(base, place)
  await repository.dressPlace({ path: place, commit: base, branch: 'main' })
  writeFileSync(join(place, 'top'), 'T\n')
  await repository.leavePlace(place)
  await repository.exportTree(base, place)
  expect(all(place).length).toBeGreaterThan(5)
  expect(git(repository.objectsFolder, 'hash-object', join(place, 'top'))).toBe(
    git(repository.objectsFolder, 'rev-parse', `${base}:top`),
  )
})
