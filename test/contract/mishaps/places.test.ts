// A place that was left is used again: whatever a check has done in it must be gone.
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { write } from '../../empty-repository.ts'
import { codeStory, openYard, writes } from '../repository-walk.ts'
import { git, makeUserRepository } from '../user-repository.ts'

const files = { 'a.txt': 'one\n', 'b.txt': 'b\n', 'src/deep/x.txt': 'x\n', '.gitignore': '*.log\n' }

it.each<[string, (place: string) => unknown]>([
  ['nothing', () => {}],
  ['files made', (p) => write(p, { new: 'n', 'build/x.js': 'l', 'src/deep/x.log': 'ignored' })],
  ['empty folders made', (p) => mkdirSync(join(p, 'src/none/at/all'), { recursive: true })],
  ['a file edited, its size and age kept', (p) => editKeepingAge(join(p, 'a.txt'), 'two\n')],
  ['a file replaced, its size and age kept', (p) => replaceKeepingAge(join(p, 'a.txt'), 'two\n')],
  ['a file removed', (p) => unlinkSync(join(p, 'a.txt'))],
  ['a file made a folder', (p) => [unlinkSync(join(p, 'a.txt')), write(p, { 'a.txt/x': 'x' })]],
  ['a file made a link', (p) => [unlinkSync(join(p, 'a.txt')), symlinkSync('b.txt', join(p, 'a.txt'))]],
  ['a folder made a file', (p) => [rmSync(join(p, 'src'), { recursive: true }), write(p, { src: 's' })]],
  ['a folder made a link', (p) => [renameSync(join(p, 'src'), join(p, 'was')), symlinkSync('was', join(p, 'src'))]],
  ['rights changed', (p) => [chmodSync(join(p, 'a.txt'), 0o755), chmodSync(join(p, '.gitignore'), 0o400)]],
  ['a folder closed', (p) => chmodSync(join(p, 'src/deep'), 0o500)],
  ['repositories made', (p) => [git(p, 'init', '-q'), git(join(p, 'src'), 'init', '-q')]],
  ['itself removed', (p) => rmSync(p, { recursive: true })],
  ['itself made a link', (p) => [renameSync(p, `${p}-was`), symlinkSync(`${p}-was`, p)]],
])('a place comes back as new after %s', async (_name, harm) => {
  const yard = await openYard(makeUserRepository(files))
  const commit = await codeStory(yard, 's', writes({ 'c.txt': 'c\n', 'b.txt': 'bb\n' }))
  const [used, fresh, again] = [yard.at('places/used'), yard.at('fresh'), yard.at('places/again')]
  await yard.repository.exportTree(commit, fresh)
  await yard.repository.exportTree(yard.base, used)
  harm(used)
  await yard.repository.leavePlace(used)
  expect(existsSync(used)).toBe(false)
  await yard.repository.exportTree(commit, again)
  expect(contentsOf(again)).toEqual(contentsOf(fresh))
  await yard.repository.removePlaces(yard.at('places'))
  expect(readdirSync(yard.at('places'))).toEqual([])
})

it('a file that is linked from elsewhere is written anew', async () => {
  const { repository, base, at } = await openYard(makeUserRepository(files))
  await repository.exportTree(base, at('places/used'))
  linkSync(join(at('places/used'), 'a.txt'), at('kept'))
  await repository.leavePlace(at('places/used'))
  await repository.exportTree(base, at('places/again'))
  expect(statSync(join(at('places/again'), 'a.txt')).ino).not.toBe(statSync(at('kept')).ino)
})

it('what did not change is not written anew', async () => {
  const { repository, base, at } = await openYard(makeUserRepository(files))
  await repository.exportTree(base, at('places/used'))
  const { ino } = statSync(join(at('places/used'), 'a.txt'))
  await repository.leavePlace(at('places/used'))
  await repository.exportTree(base, at('places/again'))
  expect(statSync(join(at('places/again'), 'a.txt')).ino).toBe(ino)
})

function editKeepingAge(path: string, text: string): void {
  const { atime, mtime } = statSync(path)
  writeFileSync(path, text)
  utimesSync(path, atime, mtime)
}

function replaceKeepingAge(path: string, text: string): void {
  const { atime, mtime } = statSync(path)
  writeFileSync(`${path}.new`, text)
  utimesSync(`${path}.new`, atime, mtime)
  renameSync(`${path}.new`, path)
}

/** Everything in a folder with its kind, rights and text. */
function contentsOf(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((name) => {
      const path = join(root, name)
      const stat = lstatSync(path)
      const text = stat.isSymbolicLink() ? readlinkSync(path) : stat.isFile() ? readFileSync(path, 'utf8') : ''
      return `${name} ${stat.mode.toString(8)} ${text}`
    })
}
