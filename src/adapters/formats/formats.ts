import { parse } from 'smol-toml'
import { mergeByStructure, type Node, nodeOf } from '../../proof/merging/structure.ts'
import { candidates, type Format, type Formats } from '../../proof/merging/three-way.ts'
import { yaml } from './yaml.ts'

/** Formats whose grammar takes a library. */
export const formats = (): Formats => ({ yaml, toml })

const toml: Format = {
  /** The lines of both sides, where together they say exactly what the two structures make together. */
  merge: (texts) =>
    mergeByStructure(texts, {
      read,
      written: () => candidates(texts),
      ordered: [],
      unread: 'one side is not well-formed TOML',
      unwritten: 'its lines cannot simply be put together',
    }),
  parses: (text) => read(text) !== null,
}

function read(text: string): Node<null> | null {
  try {
    return nodeOf(parse(text))
  } catch {
    return null
  }
}
