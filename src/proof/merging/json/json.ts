import { declined, merged, type Resolution, type Texts } from '../resolution.ts'
import { idOfMerged, mergeStructures } from '../structure/merge.ts'
import { idOf } from '../structure/node.ts'
import { parseJson } from './parse.ts'
import { printJson } from './print.ts'

/** In these maps of a package.json the first name that fits counts. */
const ordered = ['exports', 'imports']

/** Ours with what theirs has changed, name by name; comments and layout stay. */
export function mergeJson({ path, base, ours, theirs }: Texts): Resolution {
  const [b, o, t] = [base === null ? null : parseJson(base), parseJson(ours), parseJson(theirs)]
  if (o === null || t === null || (base !== null && b === null))
    return declined('one side is not well-formed JSON, or has a name twice')
  const isPackage = /(?:^|\/)package\.json$/.test(path)
  const structure = mergeStructures({ base: b, ours: o, theirs: t }, isPackage ? ordered : [])
  if (!structure.ok) return declined(structure.contradictions.slice(0, 5).join('; '))
  const head = ours.slice(0, o.source.start)
  const text = head + printJson(structure.merged) + ours.slice(o.source.end)
  const again = parseJson(text)
  if (again === null || idOf(again) !== idOfMerged(structure.merged))
    return declined('its layout leaves no safe place for both changes')
  return merged(text, 'structure')
}
