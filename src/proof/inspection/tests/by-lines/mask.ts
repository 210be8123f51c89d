import type { Language } from '../test-file.ts'

/** The code with comments and the insides of strings blanked, character by character, so that places stay the same. */
export function mask(text: string, language: Language): string {
  const out: string[] = []
  let [at, hopeless] = [0, 0]
  while (at < text.length) {
    const end = blankEnd(text, at, { language, out, reach: at < hopeless ? shortest : longest })
    // What has no end on its line is looked for on that line no further.
    if (end === at && opens.test(text[at]!) && at >= hopeless) hopeless = lineEnd(text, at)
    if (end === at) out.push(text[at++]!)
    else {
      out.push(blanked(text, at, end))
      at = end
    }
  }
  return out.join('')
}

const opens = /["'/]/

interface Reading {
  language: Language
  out: readonly string[]
  /** How far to look for an end. */
  reach: number
}

/** Where the comment or string that starts here ends; the same place when none does. */
function blankEnd(text: string, at: number, { language, out, reach }: Reading): number {
  const char = text[at]!
  const hash = language === 'python' || language === 'ruby' || language === 'other'
  if (hash && char === '#') return lineEnd(text, at)
  if (!hash && char === '/' && text[at + 1] === '/') return lineEnd(text, at)
  if (!hash && char === '/' && text[at + 1] === '*') return after(text, '*/', at + 2)
  if (language === 'python' && /^(?:"""|''')/.test(text.slice(at, at + 3)))
    return after(text, text.slice(at, at + 3), at + 3)
  if (char === '`' && !hash) return language === 'js' ? templateEnd(text, at) : after(text, '`', at + 1)
  if (char === "'" && language === 'braces') return charEnd(text, at)
  if (char === '"' || char === "'") return quoteEnd(text, at, reach)
  if (char === '/' && language === 'js' && startsExpression(out)) return expressionEnd(text, at, reach)
  return at
}

/** Quotes stay, so that a string can still be found. */
function blanked(text: string, from: number, to: number): string {
  const inner = text.slice(from, to).replace(/[^\n]/g, ' ')
  const quote = /["'`]/.test(text[from]!) ? text[from]! : ' '
  return inner.length < 2
    ? inner
    : `${quote}${inner.slice(1, -1)}${text[to - 1] === quote ? quote : ' '}`.slice(0, inner.length)
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}

function after(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end === -1 ? text.length : end + mark.length
}

/** Further than any string or expression reaches; a line without ends must not be read again for each beginning. */
const longest = 20_000
const shortest = 60

function quoteEnd(text: string, at: number, reach: number): number {
  const stop = Math.min(text.length, at + reach)
  for (let i = at + 1; i < stop && text[i] !== '\n'; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === text[at]) return i + 1
  }
  return at
}

/** A character, not a lifetime. */
function charEnd(text: string, at: number): number {
  const found = /^'(?:\\[^\n]{1,8}?|[^\\'\n]{1,2})'/.exec(text.slice(at, at + 12))
  return found ? at + found[0].length : at
}

/** Templates hold code that holds templates. */
function templateEnd(text: string, at: number): number {
  const open: ('`' | '{')[] = ['`']
  for (let i = at + 1; i < text.length; i++) {
    const inText = open.at(-1) === '`'
    if (text[i] === '\\') i += 1
    else if (inText && text.startsWith('${', i)) open.push('{')
    else if (text[i] === '`') {
      if (inText) open.pop()
      else open.push('`')
    } else if (!inText && text[i] === '{' && text[i - 1] !== '$') open.push('{')
    else if (!inText && text[i] === '}') open.pop()
    if (open.length === 0) return i + 1
  }
  return text.length
}

/** Whether a slash after what was read so far begins a regular expression. */
function startsExpression(out: readonly string[]): boolean {
  const before = out.slice(-40).join('').trimEnd()
  return before === '' || /[=(,:[!&|?{};>]$|\b(?:return|typeof|case|of|in)$/.test(before)
}

function expressionEnd(text: string, at: number, reach: number): number {
  let inClass = false
  const stop = Math.min(text.length, at + reach)
  for (let i = at + 1; i < stop && text[i] !== '\n'; i++) {
    if (text[i] === '\\') i += 1
    else if (text[i] === '[') inClass = true
    else if (text[i] === ']') inClass = false
    else if (text[i] === '/' && !inClass) return i + 1
  }
  return at
}
