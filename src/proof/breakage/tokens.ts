import type { Edit } from './edit.ts'

const turned: Record<string, string> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<=': '>',
  '>=': '<',
  '<': '>=',
  '>': '<=',
  '&&': '||',
  '||': '&&',
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '%': '*',
  and: 'or',
  or: 'and',
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
}

/** A sign between two things, with room around it, as nearly everybody writes it: so it is no type, no pointer, no tag. */
const signs = /(?<=[\w)\]"'`]\s+)(===|!==|==|!=|<=|>=|<|>|&&|\|\||[-+*/%])(?=\s+[\w("'`[!$.-])/g
const words = /(?<=[\w)\]"']\s+)\b(and|or)\b(?=\s)/g
const booleans = /(?<![\w.$-])(true|false|True|False)(?![\w:?-])/g
const numbers = /(?<![\w.$#'-])(\d{1,15})((?:\.\d{1,12})?)(?![\w.'%]|\s*:)/g

/** All that is asked, where there is no sign that could be turned. */
const conditions =
  /(?<=\b(?:if|elif)(?:\s+|\s*\(\s*))(?!not\b|let\b|true\b|false\b)[A-Za-z_$][\w$.]*(?=\s*(:\s*\n|\)|\{))/g

/** A call of one thing, within an expression: neither where a function is made nor a word of the language. */
const calls =
  /(?<=[-+*/%=<>&|?:(,[]\s*|\breturn\s+)(?!(?:if|while|for|switch|catch|function|func|def|fn|new|super|typeof|import|require|await)\b)([A-Za-z_$][\w$.]*)\(([A-Za-z_$][\w$]*)\)(?!\s*(?:=>|\{|:))/g

/** Turned comparisons and operators, other booleans, constants that are off by one, calls that are left out. */
export function tokenEdits(product: string, masked: string): Edit[] {
  const code = masked.slice(0, product.length)
  return [
    ...[...code.matchAll(signs)].map((found) => turn(found, /^[-+*/%]$/.test(found[1]!) ? 1 : 0)),
    ...[...code.matchAll(signs)].flatMap(atEdge),
    ...[...code.matchAll(words)].map((found) => turn(found, 0)),
    ...[...code.matchAll(conditions)].map(turnAsked),
    ...[...code.matchAll(booleans)].map((found) => turn(found, 1)),
    ...[...code.matchAll(numbers)].map(offByOne),
    ...[...code.matchAll(calls)].map(leftOut),
  ]
}

function turn(found: RegExpExecArray, rank: number): Edit {
  const sign = found[1]!
  const by = turned[sign]!
  return { start: found.index, end: found.index + sign.length, by, what: `\`${sign}\` became \`${by}\``, rank }
}

const edges: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

/** The very value that divides the two sides goes to the other one. */
function atEdge({ 1: sign, index }: RegExpExecArray): Edit[] {
  const by = edges[sign!]
  const what = `\`${sign}\` became \`${by}\``
  return by === undefined ? [] : [{ start: index, end: index + sign!.length, by, what, rank: 0, side: 'edge' }]
}

function turnAsked({ 0: asked, 1: then, index }: RegExpExecArray): Edit {
  const by = then!.startsWith(':') ? `not ${asked}` : `!${asked}`
  return { start: index, end: index + asked.length, by, what: `\`${asked}\` became \`${by}\``, rank: 0 }
}

function offByOne(found: RegExpExecArray): Edit {
  const [whole, digits, rest] = found
  const by = `${BigInt(digits!) + 1n}${rest}`
  return { start: found.index, end: found.index + whole.length, by, what: `${whole} became ${by}`, rank: 1 }
}

function leftOut(found: RegExpExecArray): Edit {
  const [whole, , by] = found
  return {
    start: found.index,
    end: found.index + whole.length,
    by: by!,
    what: `\`${whole}\` became \`${by}\``,
    rank: 2,
  }
}
