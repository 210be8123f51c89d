import type { WorkKind } from '../../delivery/intent/context.ts'
import { proseOf } from './prose.ts'

/** What kind of work a requirement asks for, told without a model. Nothing tells: something is to be added. */
export function taskTypeOf(text: string): WorkKind {
  const prefix = /^\s*(\w+)(?:\([^)]*\))?!?:\s/.exec(text)?.[1]?.toLowerCase()
  const named = prefix === undefined ? undefined : prefixes[prefix]
  if (named !== undefined) return named
  const { sentences } = proseOf(text)
  const opening = sentences.slice(0, 3).join(' ')
  return (
    rules.find(({ where, says }) => says.test(where === 'opening' ? opening : (sentences[0] ?? '')))?.type ?? 'feature'
  )
}

const prefixes: Record<string, WorkKind> = {
  ...{
    fix: 'fix',
    bug: 'fix',
    bugfix: 'fix',
    hotfix: 'fix',
    feat: 'feature',
    feature: 'feature',
    refactor: 'refactor',
  },
  ...{ chore: 'chore', docs: 'chore', doc: 'chore', test: 'chore', ci: 'chore', build: 'chore', style: 'chore' },
}

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
