// A scanner that knows just enough TypeScript to tell code from comments, strings and regular expressions.

export interface Scanned {
  /** The text with comments, string contents and regular expressions blanked out; every offset and line stays. */
  code: string
  comments: string[]
}

export function scan(text: string): Scanned {
  const scanner = new Scanner(text)
  scanner.readCode(false)
  return { code: scanner.out.join(''), comments: scanner.comments }
}

/** Words after which a slash begins a regular expression, as after most punctuation. */
const expectsValue = /(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield)\s*$/

class Scanner {
  readonly out: string[]
  readonly comments: string[] = []
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
    this.out = [...Array(text.length).keys()].map((index) => text.charAt(index))
  }

  /** Up to the end, or to the brace that closes a template's `${`. */
  readCode(inTemplate: boolean): void {
    let depth = 0
    while (this.at < this.text.length) {
      const char = this.text.charAt(this.at)
      if (inTemplate && char === '}' && depth === 0) return
      if (char === '{') depth++
      if (char === '}') depth--
      if (char === "'" || char === '"') this.readString(char)
      else if (char === '`') this.readTemplate()
      else if (char === '/') this.readSlash()
      else this.at++
    }
  }

  private readString(quote: string): void {
    const start = ++this.at
    while (this.at < this.text.length && this.text.charAt(this.at) !== quote && this.text.charAt(this.at) !== '\n')
      this.at += this.text.charAt(this.at) === '\\' ? 2 : 1
    this.blank(start, this.at++)
  }

  private readTemplate(): void {
    let start = ++this.at
    while (this.at < this.text.length && this.text.charAt(this.at) !== '`') {
      if (this.text.startsWith('${', this.at)) {
        this.blank(start, this.at)
        this.at += 2
        this.readCode(true)
        start = ++this.at
      } else this.at += this.text.charAt(this.at) === '\\' ? 2 : 1
    }
    this.blank(start, this.at++)
  }

  private readSlash(): void {
    if (this.text.startsWith('//', this.at)) this.readComment('\n', 0)
    else if (this.text.startsWith('/*', this.at)) this.readComment('*/', 2)
    else if (this.beginsRegex()) this.readRegex()
    else this.at++
  }

  private readComment(end: string, length: number): void {
    const found = this.text.indexOf(end, this.at + 2)
    const stop = found === -1 ? this.text.length : found + length
    this.comments.push(this.text.slice(this.at, stop))
    this.blank(this.at, stop)
    this.at = stop
  }

  private beginsRegex(): boolean {
    const before = this.out
      .slice(Math.max(0, this.at - 200), this.at)
      .join('')
      .trimEnd()
    return before === '' || /[(,=:[!&|?{};+\-*%~^<>]$/.test(before) || expectsValue.test(before)
  }

  private readRegex(): void {
    const start = ++this.at
    let inClass = false
    for (; this.at < this.text.length; this.at++) {
      const char = this.text.charAt(this.at)
      if (char === '\\') this.at++
      else if (char === '[') inClass = true
      else if (char === ']') inClass = false
      else if ((char === '/' && !inClass) || char === '\n') break
    }
    this.blank(start, this.at++)
  }

  private blank(from: number, to: number): void {
    for (let i = from; i < Math.min(to, this.out.length); i++) if (this.out[i] !== '\n') this.out[i] = ' '
  }
}

/** The offset of the bracket that closes the one at `open`, or that opens the one at `open` when going back. */
export function match(code: string, open: number, step: 1 | -1 = 1): number {
  const pairs: Record<string, number> = { '(': step, '[': step, '{': step, ')': -step, ']': -step, '}': -step }
  let depth = 0
  for (let i = open; i >= 0 && i < code.length; i += step) {
    depth += pairs[code.charAt(i)] ?? 0
    if (depth === 0) return i
  }
  return step === 1 ? code.length : 0
}

export const lineAt = (code: string, offset: number): number => code.slice(0, offset).split('\n').length
