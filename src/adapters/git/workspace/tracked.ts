import { createHash } from 'node:crypto'
import { lstatSync, utimesSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { invariant } from '../../../std/never.ts'
import type { NamedEntry } from '../objects/reader.ts'

/**
 * Makes what is younger than this so old: files of the index, and the folders around them. How old they are now is
 * noted in the index by ourselves, since git would read each of them again for that.
 */
export async function ageFiles(place: string, index: string, seconds: number): Promise<void> {
  const bytes = await readFile(index)
  const entries = [...entriesIn(bytes)]
  for (const folder of foldersOf(entries)) ageOne(join(place, folder), seconds)
  const young = entries.filter(({ at, mode }) => bytes.readUInt32BE(at + 8) > seconds && mode >> 12 === regular)
  for (const { at, path } of young) {
    const file = Buffer.concat([Buffer.from(`${place}/`), path])
    utimesSync(file, seconds, seconds)
    note(bytes, at, file)
  }
  if (young.length > 0) await writeIndex(index, bytes)
}

interface Entry {
  at: number
  mode: number
  /** Its name need not be UTF-8. */
  path: Buffer
}

/** What the index has, by path; none where there is no index. */
export async function indexedPaths(index: string): Promise<string[]> {
  const bytes = await readFile(index).catch(() => null)
  return bytes === null ? [] : [...entriesIn(bytes)].map(({ path }) => path.toString('utf8'))
}

/** Whether an index has exactly these files. */
export async function holds(index: string, files: NamedEntry[]): Promise<boolean> {
  const bytes = await readFile(index).catch(() => null)
  if (bytes === null || bytes.readUInt32BE(8) !== files.length) return false
  let next = 0
  for (const { at, mode, path } of entriesIn(bytes)) {
    const file = files[next++]!
    const object = bytes.toString('hex', at + fixedBytes, at + fixedBytes + idBytes)
    if (file.object !== object || file.mode !== mode.toString(8) || file.path !== path.toString('utf8')) return false
  }
  return true
}

const regular = 0o10
const submodule = 0o16
const fixedBytes = 40
const idBytes = 20

/** As gitformat-index(5) has them: times, places, mode, size; then the object's id, flags, and the path, padded. */
function* entriesIn(bytes: Buffer): Generator<Entry> {
  // So git is told to write them.
  invariant(bytes.readUInt32BE(4) <= 3, 'an index of a version that we cannot read')
  let at = 12
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const flagsAt = at + fixedBytes + idBytes
    const pathAt = flagsAt + (bytes.readUInt16BE(flagsAt) & 0x4000 ? 4 : 2)
    const end = bytes.indexOf(0, pathAt)
    yield { at, mode: bytes.readUInt32BE(at + 24), path: bytes.subarray(pathAt, end) }
    at += ((end - at) & ~7) + 8
  }
}

function foldersOf(entries: Entry[]): Set<string> {
  const folders = new Set<string>()
  for (const entry of entries) {
    const path = entry.path.toString('utf8').split('/')
    const names = entry.mode >> 12 === submodule ? path : path.slice(0, -1)
    for (let most = names.length; most > 0; most--) {
      const folder = names.slice(0, most).join('/')
      if (folders.has(folder)) break
      folders.add(folder)
    }
  }
  return folders
}

function ageOne(path: string, seconds: number): void {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat?.isDirectory() && Math.floor(stat.mtimeMs / 1000) > seconds) utimesSync(path, seconds, seconds)
}

const billion = 1_000_000_000n

function note(bytes: Buffer, at: number, file: Buffer): void {
  const { ctimeNs, mtimeNs } = lstatSync(file, { bigint: true })
  for (const [index, value] of [ctimeNs, mtimeNs].entries()) {
    bytes.writeUInt32BE(Number((value / billion) & 0xffffffffn), at + index * 8)
    bytes.writeUInt32BE(Number(value % billion), at + index * 8 + 4)
  }
}

async function writeIndex(index: string, bytes: Buffer): Promise<void> {
  const end = bytes.length - idBytes
  createHash('sha1').update(bytes.subarray(0, end)).digest().copy(bytes, end)
  await writeFile(`${index}.aging`, bytes, { mode: 0o600 })
  await rename(`${index}.aging`, index)
}
