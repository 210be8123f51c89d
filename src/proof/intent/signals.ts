import type { Ambiguity, Signal } from '../../delivery/intent/context.ts'
import { observableOf } from './observable.ts'
import { proseOf } from './prose.ts'
import { vaguenessOf } from './vague.ts'

export interface Around {
  hasIdentity: boolean
  unreachable: string[]
  conflicts: string[]
}

/** What makes a requirement less clear, in its words and around it; each says how much. It is a floor, never the whole. */
export function structuralSignals(text: string, { hasIdentity, unreachable, conflicts }: Around): Signal[] {
  const prose = proseOf(text)
  const { modals, quantifiers, passives, pronouns, placeholders } = vaguenessOf(prose)
  const { declared, behaviours, concrete } = observableOf(text)
  const bare = !declared && behaviours.length === 0 && concrete.length === 0
  const told: (Signal | null)[] = [
    signal('weak-modals', modals, { uncertainFrom: 2 }),
    signal('vague-quantifiers', quantifiers, { uncertainFrom: 2, ambiguousFrom: 4 }),
    signal('passive-without-agent', passives, { uncertainFrom: 3 }),
    signal('undefined-pronouns', pronouns, { uncertainFrom: 1 }),
    signal('left-to-fill-in', placeholders, { uncertainFrom: 1, ambiguousFrom: 3 }),
    signal('no-criteria', declared ? [] : ['nothing says when it is done'], {
      uncertainFrom: bare && prose.isEnglish ? 1 : 2,
    }),
    signal('unreachable-source', unreachable, { uncertainFrom: 1 }),
    signal('no-project-identity', hasIdentity ? [] : ['no file says what the project is'], { uncertainFrom: 1 }),
    signal('against-the-project', conflicts, { uncertainFrom: 1 }),
  ]
  return told.filter((one) => one !== null)
}

interface Weight {
  uncertainFrom: number
  ambiguousFrom?: number
}

function signal(name: string, found: string[], { uncertainFrom, ambiguousFrom }: Weight): Signal | null {
  if (found.length === 0) return null
  const many = found.length
  const sets: Ambiguity =
    ambiguousFrom !== undefined && many >= ambiguousFrom ? 'ambiguous' : many >= uncertainFrom ? 'uncertain' : 'clear'
  return { name, sets, evidence: [...new Set(found)].slice(0, 4).join('; ').slice(0, 300) }
}
