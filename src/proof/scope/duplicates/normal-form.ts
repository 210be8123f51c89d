import type { Grammar } from '../../files/code-reader.ts'

/** The tokens of a piece of code, without comments and with its own names taken out: equal for what does the same. */
export function normalForm(text: string, name: string, grammar: Grammar): string[] {
  const all = tokensOf(text, grammar)
  const locals = localsOf(all)
  const numbers = new Map<string, number>()
  const declaredAt = all.indexOf(name)
  return all.map((token, index) => {
    if (index === declaredAt || (token === name && !locals.has(name))) return '@'
    if (!locals.has(token) || all[index - 1] === '.') return token
    if (!numbers.has(token)) numbers.set(token, numbers.size)
    return `$${numbers.get(token)}`
  })
}

const texts = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/.source
const rest = /[A-Za-z_$][\w$]*|\d[\w.]*|:=|=>|[=!<>]=+|&&|\|\||\S/.source
const comments = {
  python: /#[^\n]*|"""[\s\S]*?"""|'''[\s\S]*?'''/.source,
  others: /\/\/[^\n]*|\/\*[\s\S]*?\*\//.source,
}
const tokens = {
  python: new RegExp(`(?<comment>${comments.python})|${texts}|${rest}`, 'g'),
  others: new RegExp(`(?<comment>${comments.others})|${texts}|${rest}`, 'g'),
}

function tokensOf(text: string, grammar: Grammar): string[] {
  return [...text.matchAll(tokens[grammar === 'python' ? 'python' : 'others'])]
    .filter(({ groups }) => groups?.comment === undefined)
    .map(([one]) => one)
    .filter((one) => one !== ';' && one !== ',')
}

const word = /^[A-Za-z_$][\w$]*$/
const declares = new Set(['const', 'let', 'var', 'mut', 'for', 'as'])

/** Parameters, and what is declared inside, by the customs of these languages. */
function localsOf(all: string[]): Set<string> {
  const locals = new Set(parametersOf(all))
  all.forEach((one, index) => {
    if (!word.test(one) || declares.has(one) || all[index - 1] === '.') return
    const [before = '', after = ''] = [all[index - 1], all[index + 1]]
    if (declares.has(before) || after === ':=' || (after === '=' && before !== ':')) locals.add(one)
  })
  return locals
}

/** Between the first pair of parentheses; what follows a colon there is a type. */
function parametersOf(all: string[]): string[] {
  const found: string[] = []
  let depth = 0
  for (const [index, one] of all.entries()) {
    if (one === '(') depth += 1
    else if (one === ')' && --depth === 0) break
    else if (depth > 0 && word.test(one) && all[index - 1] !== ':') found.push(one)
    else if (depth === 0 && (one === '{' || one === '=>')) break
  }
  return found
}

/** Words that other code which does the same must have, the longest first; none: all of its words are its own. */
export function foreignWords(form: readonly string[]): string[] {
  const words = form.filter(
    (one) => (word.test(one) && one.length >= 4 && !keywords.has(one)) || /^["'`].{4,}/.test(one),
  )
  return [...new Set(words)].sort((a, b) => b.length - a.length).slice(0, mostWords)
}

const mostWords = 12

const keywords = new Set(
  `abstract async await break case catch class const continue default defer else enum except export extends finally
  for from func function if implements import interface lambda match None null None package pass private protected
  public raise range readonly return self static string struct super switch this throw true True type typeof undefined
  False false void while with yield number boolean`.split(/\s+/),
)
