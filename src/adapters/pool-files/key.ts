import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Inputs, inputsOf, isManifest } from './inputs.ts'
import { notGit, type Seen, walk } from './walk.ts'

export interface SetupFacts {
  run: string
  /** Globs of what it reads, where the settings tell. */
  reads: string[]
  environment: string
}

/** Of what the command, the machine and the files in the place are that decide about its result. */
export async function keyOf(place: string, setup: SetupFacts): Promise<string | null> {
  const seen = (await walk(place, notGit)).filter(({ stat }) => !stat.isDirectory())
  const isInput = chosen(place, setup, seen)
  if (isInput === null) return null
  const digest = createHash('sha256').update(JSON.stringify([setup.run, setup.reads, setup.environment]))
  for (const one of seen)
    if (isInput(one.path)) digest.update(`\0${one.path}\0${one.stat.mode}\0${contents(place, one)}`)
  return digest.digest('hex').slice(0, 40)
}

function chosen(place: string, setup: SetupFacts, seen: Seen[]): ((path: string) => boolean) | null {
  const files = seen.map(({ path }) => path)
  const plain = seen.filter(({ path, stat }) => stat.isFile() && isManifest(path))
  const inputs: Inputs = inputsOf(
    setup,
    files,
    plain.map(({ path }) => readFileSync(join(place, path), 'utf8')),
  )
  if (inputs.of === 'nobody-knows') return null
  return inputs.of === 'place' ? () => true : inputs.isInput
}

function contents(place: string, { path, stat }: Seen): string {
  const file = join(place, path)
  // What a link leads to is read, too; it need not be an input by its own name.
  const target = stat.isSymbolicLink() ? readlinkSync(file) : ''
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return target
  return `${target}\0${createHash('sha256').update(readFileSync(file)).digest('hex')}`
}
