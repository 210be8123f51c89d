import type { WorkKind } from '../../delivery/intent/context.ts'
import { mark, proseOf, wordsOf } from './wording.ts'

/**
 * Whether a text only asks for an answer and wants nothing changed. In doubt it wants something: who is told that a
 * requirement is a question can put it otherwise, and who gets a delivery for a question has to pay for it.
 */
export function isQuestion(text: string): boolean {
  const sentences = proseOf(text).sentences.filter((sentence) => !isGreeting(sentence))
  if (sentences.length === 0 || sentences.length > mostSentences) return false
  return sentences.every((sentence) => asks(sentence) || isAside(sentence)) && sentences.some(asks)
}

const mostSentences = 6

const isGreeting = (sentence: string): boolean =>
  /^(?:hi|hello|hey|hallo|thanks|thank you|thx|cheers|danke|guten (?:tag|morgen)|please help|quick question|question|frage)\b[^?]{0,20}$/i.test(
    sentence,
  )

/** Why somebody asks. */
const isAside = (sentence: string): boolean =>
  /^(?:i(?:'m| am) (?:curious|wondering|asking|new|trying to understand)|i (?:do not|don't) understand|just (?:curious|wondering)|ich (?:frage mich|verstehe nicht))\b/i.test(
    sentence,
  )

function asks(sentence: string): boolean {
  if (wants(sentence)) return false
  const marked = /[?？]["')\]]*$/.test(sentence)
  if (marked) return interrogative.test(sentence) || aboutFacts.test(sentence) || isExplaining(sentence)
  return (
    isExplaining(sentence) ||
    (plainQuestion.test(sentence) &&
      wordsOf(sentence).length <= 16 &&
      !/[:;]|\b(?:must|should|shall|needs?)\b/i.test(sentence) &&
      !saysWhatIs(sentence))
  )
}

/** Begins with a word that asks, in the languages that we know some of. */
const interrogative =
  /^(?:(?:and|but|so|also|und|aber|et|y|e|¿)[\s,]*)?¿?(?:how|what|what's|why|where|where's|when|who|whose|whom|which|wie|was|warum|wieso|weshalb|wo|wann|wer|wessen|welche[rsmn]?|comment|pourquoi|où|quand|qui|quel(?:le)?s?|qu['’]est|c[oó]mo|por qu[eé]|qu[eé]|d[oó]nde|cu[aá]ndo|qui[eé]n|cu[aá]l(?:es)?|come|perch[eé]|dove|quando|chi|quale|como|onde|hoe|waarom|waar|wanneer|wie)(?![\p{L}])/iu

/** Asks whether something is so. With a person in it, it asks somebody to do something. */
const aboutFacts =
  /^(?:(?:and|but|so|also)[\s,]*)?(?:is|are|was|were|does|do|did|has|have|can|ist|sind|hat|haben|gibt|macht|kann)\s+(?!(?:you|we|i|someone|somebody|anyone|anybody|ihr|du|man|wir|jemand|sie)\b)/i

/** The same without a mark at its end: only where the words leave nothing else. */
const plainQuestion =
  /^(?:how|why|where|when|what|who|wie|warum|wo|was)\s+(?:is|are|was|were|does|do|did|has|have|can|would|will|to|funktioniert|ist|sind|macht|kann|geht|wird)\s/i

/** "Who is logged in is shown in the header": what asks at its beginning is only the subject. */
const saysWhatIs = (sentence: string): boolean =>
  /^(?:what|who|was|wer)\s.*\s(?:is|are|gets?|stays?|remains?|appears?|wird|werden|bleibt)\s+(?:\w+ed|\w+n|kept|sent|there|visible|hidden)\b/i.test(
    sentence,
  )

/** An explanation is an answer, unless it is to be written down somewhere. */
const isExplaining = (sentence: string): boolean =>
  /^(?:please\s+|can you (?:please )?|could you (?:please )?|bitte\s+)?(?:explain|tell me|describe|walk me through|help me understand|summari[sz]e how|erkl[äa]re?(?: mir)?)\b/i.test(
    sentence,
  ) &&
  !/\b(?:in|into|to|as|on|within)\s+(?:the\s+|a\s+|our\s+|your\s+)?(?:readme|docs?|documentation|comments?|guide|changelog|wiki|help|file|page|‹code›)/i.test(
    sentence.replaceAll(mark, '‹code›'),
  )

/** Something is to be done, however politely it is put. */
function wants(sentence: string): boolean {
  if (isExplaining(sentence)) return false
  return (
    /\b(?:can|could|would|will|may|should) (?:you|we|i|someone|somebody|it|there|the \w+)\b.*\b(?:add|make|fix|change|remove|support|have|get|show|implement|allow|create|update|use|be|rename|write|move|delete|drop|replace|return|handle|stop|please)\b/i.test(
      sentence,
    ) ||
    /^(?:how|what) about\b|^why (?:not|don't|can't|isn't|aren't|doesn't)\b|^(?:shouldn't|couldn't|can't|isn't it|wouldn't)\b/i.test(
      sentence,
    ) ||
    /\b(?:kannst|könntest|könnt|können|würdest|würde[nt]?|sollte[n]?)\s+(?:du|ihr|sie|man|wir|bitte)\b/i.test(
      sentence,
    ) ||
    /[,;–—-]\s*(?:and |then |so )*(?:fix|make|change|add|remove|correct|repair|mend|update|delete|implement|do) (?:it|this|that|them|the|a)\b/i.test(
      sentence,
    ) ||
    /\bplease\b|\bbitte\b/i.test(sentence)
  )
}

/** What kind of work a requirement asks for, told without a model. Nothing tells: something is to be added. */
export function taskTypeOf(text: string): WorkKind {
  const prefix = /^\s*(\w+)(?:\([^)]*\))?!?:\s/.exec(text)?.[1]?.toLowerCase() ?? ''
  const named = prefixes.find(([says]) => says.test(prefix))
  if (named !== undefined) return named[1]
  const { sentences } = proseOf(text)
  const opening = sentences.slice(0, 3).join(' ')
  return (
    rules.find(({ where, says }) => says.test(where === 'opening' ? opening : (sentences[0] ?? '')))?.type ?? 'feature'
  )
}

const prefixes: [says: RegExp, type: WorkKind][] = [
  [/^(?:bug|hot)?fix$|^bug$/, 'fix'],
  [/^feat(?:ure)?$/, 'feature'],
  [/^refactor$/, 'refactor'],
  [/^(?:chore|docs?|test|ci|build|style)$/, 'chore'],
]

/** In order: what changes how all is built before what is broken, and that before how it looks inside. */
const rules: { type: WorkKind; where: 'opening' | 'first'; says: RegExp }[] = [
  {
    type: 'architectural',
    where: 'opening',
    says: /\b(?:re-?architect\w*|architecture|architektur|micro-?services?|monolith|event[- ]sourc\w+|multi-?tenan\w+|plugin system|migrate (?:\w+ ){0,4}(?:to|from)|switch (?:\w+ ){0,4}(?:from|to) (?:\w+ ){0,3}(?:database|framework|postgres\w*|mysql|graphql|rest|grpc|typescript|kubernetes)|replace (?:the )?(?:database|framework|orm|queue|protocol)|rewrite (?:\w+ ){0,4}in|(?:umstellung|umstellen|migrier\w+) auf)\b/i,
  },
  {
    type: 'fix',
    where: 'opening',
    says: /\b(?:fix(?:es|ed)?|bugs?|broken|crash(?:es|ed)?|regression|fails?|failing|wrong(?:ly)?|incorrect(?:ly)?|does(?: not|n't) work|no longer works|throws|leaks?|hangs?|fehler|behebe\w*|repariere\w*|kaputt|abst[üu]rz\w*|stürzt)\b|\bkorrigier/i,
  },
  {
    type: 'refactor',
    where: 'first',
    says: /\b(?:refactor\w*|clean ?up|simplif\w+|extract|inline|deduplicate|restructure|rename|split|move|reorgani[sz]e|untangle|decouple|aufräumen|vereinfache\w*|umbenennen)\b|^benenne\b/i,
  },
  {
    type: 'chore',
    where: 'first',
    says: /\b(?:bump|upgrade|dependenc(?:y|ies)|lint(?:er|ing)?|ci|changelog|readme|typos?|documentation|docs|comments?|licen[sc]e|gitignore|formatting|dokumentation|abhängigkeit\w*)\b/i,
  },
]
