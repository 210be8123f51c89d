import { parse } from 'smol-toml'
import { idOf, idOfMerged, mergeStructures, type Node, nodeOf } from '../../proof/merging/structure.ts'
import {
  candidates,
  declined,
  type Format,
  type Formats,
  merged,
  type Resolution,
  type Texts,
} from '../../proof/merging/three-way.ts'
import { yaml } from './yaml.ts'

/** Formats whose grammar takes a library. */
export const formats = (): Formats => ({ yaml, toml })

const toml: Format = { merge: mergeToml, parses }

/** The lines of both sides, where together they say exactly what the two structures make together. */
function mergeToml(texts: Texts): Resolution {
  const { base, ours, theirs } = texts
  const [b, o, t] = [base === null ? null : read(base), read(ours), read(theirs)]
  if (o === null || t === null || (base !== null && b === null)) return declined('one side is not well-formed TOML')
  const structure = mergeStructures({ base: b, ours: o, theirs: t }, [])
  if (!structure.ok) return declined(structure.contradictions.slice(0, 5).join('; '))
  const wanted = idOfMerged(structure.merged)
  const text = candidates(texts).find((candidate) => {
    const node = read(candidate)
    return node !== null && idOf(node) === wanted
  })
  return text === undefined ? declined('its lines cannot simply be put together') : merged(text, 'structure')
}

function parses(text: string): boolean {
  return read(text) !== null
}

function read(text: string): Node<null> | null {
  try {
    return nodeOf(parse(text))
  } catch {
    return null
  }
}
