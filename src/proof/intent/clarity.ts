import type { RequirementCheck, Signal } from '../../delivery/intent/context.ts'
import { documentsIn, mark, observableOf, type Prose, proseOf, readable, vaguenessOf, wordsOf } from './wording.ts'

/** Whether a requirement can be worked from, told without a model. Two that fail: it is vague. */
export function requirementChecks(text: string): RequirementCheck[] {
  const look = lookAt(text)
  return [unambiguous(look), testable(look), oneGoal(look), criteria(look), scoped(look.prose)]
}

type Look = ReturnType<typeof lookAt>

function lookAt(text: string) {
  const prose = proseOf(text)
  return { text, prose, ...vaguenessOf(prose), ...observableOf(text, prose), document: documentsIn(text)[0] }
}

const told =
  (passed: boolean) =>
  (rule: RequirementCheck['rule'], why: string): RequirementCheck => ({ rule, passed, why: why.slice(0, 200) })
const [fails, passes] = [told(false), told(true)]

const quoted = (found: string[]): string =>
  [...new Set(found)]
    .slice(0, 4)
    .map((word) => `"${word}"`)
    .join(', ')

function unambiguous({ prose, modals, quantifiers, pronouns, placeholders }: Look): RequirementCheck {
  const open = [...modals, ...quantifiers]
  if (placeholders.length > 0) return fails('unambiguous', `it has places to fill in: ${quoted(placeholders)}`)
  if (pronouns.length > 0) return fails('unambiguous', `${quoted(pronouns)} points to nothing that was named`)
  if (open.length >= 2 || (open.length === 1 && prose.words.length < 8))
    return fails('unambiguous', `these words can mean anything: ${quoted(open)}`)
  return passes('unambiguous', 'no word in it is open to any meaning')
}

/** Of a language that the rules hardly know, a text gets the benefit of the doubt, unless it is short and of known vagueness. */
const longEnough = ({ prose, modals, quantifiers }: Look): boolean =>
  !prose.isEnglish && prose.length >= (modals.length + quantifiers.length === 0 ? 3 : 8)

function testable(look: Look): RequirementCheck {
  const { declared, behaviours, concrete, document, prose, quantifiers } = look
  if (declared || behaviours.length > 0) return passes('testable', 'it says what can be seen when it is done')
  if (document !== undefined) return passes('testable', `${document} is to say what is wanted`)
  if (namesItsWork(look)) return passes('testable', 'it says what is to be there, or gone')
  if (concrete.length > 0 && prose.words.length >= 3) return passes('testable', `it names ${quoted(concrete)}`)
  if (longEnough(look)) return passes('testable', 'its language is not one whose words are looked at')
  if (prose.words.length >= 7 && quantifiers.length === 0)
    return passes('testable', 'it says what is wanted in a whole sentence')
  return fails('testable', 'nothing in it can be seen to be so, or not so, when it is done')
}

/** "Add pagination to the users endpoint": it is there, or it is not. "Fix it" and "Improve performance" say nothing. */
function namesItsWork({ prose, concrete, quantifiers, pronouns }: Look): boolean {
  const [first = ''] = prose.sentences
  const rest = wordsOf(first).filter((word) => !filler.has(word))
  const isNamed = rest.length >= (concrete.length > 0 ? 2 : 3)
  return hasPlainWork.test(first) && isNamed && quantifiers.length + pronouns.length === 0
}

const hasPlainWork =
  /^(?:please\s+)?(?:add|remove|create|implement|rename|move|delete|drop|replace|introduce|support|translate|migrate|port|convert|switch|use|export|import|let|allow|show|hide|disable|enable)\s/i

const mostGoals = 7

const beginsAnother =
  /^(?:also|additionally|in addition|furthermore|besides|another thing|by the way|oh,? and|while (?:you are|you're) at it)\b/i

function oneGoal({ text: whole, prose: { sentences, isEnglish } }: Look): RequirementCheck {
  const text = readable(whole)
  const more = isEnglish ? sentences.filter((one) => beginsAnother.test(one)) : []
  if (more.length > 0) return fails('one-goal', `it begins another: "${more[0]}"`)
  const titles = text.match(/^#{1,2} \S.*$/gm)?.filter((title) => startsWork.test(title)) ?? []
  const items = text.match(/^\s*(?:[-*+]|\d+[.)])\s+\S.*$/gm)?.filter((item) => startsWork.test(item)) ?? []
  if (titles.length > 2 || items.length > mostGoals)
    return fails('one-goal', `it lists ${Math.max(titles.length, items.length)} things to do`)
  return passes('one-goal', 'it asks for one thing')
}

const startsWork =
  /^[\s#*+\d.)-]*(?:add|fix|remove|change|create|implement|rename|move|delete|update|upgrade|write|make|replace|introduce|support|build)\b/i

function criteria(look: Look): RequirementCheck {
  const { declared, behaviours, concrete, document } = look
  if (declared) return passes('criteria', 'it has criteria')
  if (behaviours.length > 0) return passes('criteria', `it says how it behaves: "${behaviours[0]}"`)
  if (concrete.length >= 2) return passes('criteria', `it names ${quoted(concrete)}`)
  if (document !== undefined) return passes('criteria', `${document} is to say when it is done`)
  if (longEnough(look)) return passes('criteria', 'its language is not one whose words are looked at')
  return fails('criteria', 'it does not say when it is done')
}

const boundless =
  /\b(?:everything|everywhere|all over|(?:the )?(?:whole|entire) (?:app|application|code ?base|project|system|product|repository|repo|site|thing)|all (?:the )?code)\b/gi

function scoped({ sentences, words, length, isEnglish }: Prose): RequirementCheck {
  const all = sentences.join(' ')
  const wide = isEnglish && !all.includes(mark) ? (all.match(boundless) ?? []) : []
  if (wide.length > 0) return fails('scoped', `it has no bounds: ${quoted(wide)}`)
  if (length - words.filter((word) => filler.has(word)).length < 2 && !all.includes(mark))
    return fails('scoped', 'it does not say where')
  return passes('scoped', 'it says where it ends')
}

const filler = new Set(
  'it this that so the a an is to do please just fix make improve thing things stuff work works better'.split(' '),
)

/** What makes a requirement less clear, in its words and around it; each says how much. It is a floor, never the whole. */
export function structuralSignals(
  text: string,
  { hasIdentity, unreachable, conflicts }: { hasIdentity: boolean; unreachable: string[]; conflicts: string[] },
): Signal[] {
  const look = lookAt(text)
  const { prose, modals, quantifiers, passives, pronouns, placeholders, declared, behaviours, concrete } = look
  const bare = !declared && behaviours.length === 0 && concrete.length === 0
  return [
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
  ].flat()
}

function signal(
  name: string,
  found: string[],
  { uncertainFrom, ambiguousFrom = Number.POSITIVE_INFINITY }: { uncertainFrom: number; ambiguousFrom?: number },
): Signal[] {
  const many = found.length
  if (many === 0) return []
  const sets = many >= ambiguousFrom ? 'ambiguous' : many >= uncertainFrom ? 'uncertain' : 'clear'
  return [{ name, sets, evidence: [...new Set(found)].slice(0, 4).join('; ').slice(0, 300) }]
}
