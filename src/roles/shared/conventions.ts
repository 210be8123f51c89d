import { foldersAround } from '../../delivery/plan/claims.ts'
import { fenced } from '../prompt/fence.ts'
import { type Section, section } from '../prompt/sections.ts'

const names = ['AGENTS.md', 'CLAUDE.md']
const most = 5
const mostPaths = 2_000

interface Convention {
  path: string
  text: string
}

/** Files below the root that may tell how to work in the folders of these paths; agents find the root's by themselves. */
export function conventionPaths(paths: readonly string[]): string[] {
  const folders = new Set(paths.slice(0, mostPaths).flatMap(foldersAround))
  return [...folders].sort().flatMap((folder) => names.map((name) => `${folder}/${name}`))
}

/** Of those that are there, the ones that govern most of the paths; of two in a folder that say the same, one. */
export function conventionsSection(found: Convention[], paths: readonly string[]): Section {
  const distinct = found.filter(
    (one, index) =>
      !found.slice(0, index).some((other) => folderOf(other) === folderOf(one) && other.text === one.text),
  )
  const governed = (one: Convention): number => paths.filter((path) => path.startsWith(`${folderOf(one)}/`)).length
  const chosen = distinct
    .filter((one) => governed(one) > 0)
    .toSorted((a, b) => governed(b) - governed(a) || (a.path < b.path ? -1 : 1))
    .slice(0, most)
  return section('conventions', 'Conventions of folders', chosen.map(conventionText))
}

const folderOf = ({ path }: Convention): string => path.slice(0, path.lastIndexOf('/'))

const conventionText = (one: Convention): string =>
  `${fenced(`for ${folderOf(one)}/ and below, from ${one.path}`, 'place')}\n${fenced(one.text, 'conventions')}`
