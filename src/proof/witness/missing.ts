import type { Change } from '../files/change.ts'
import { isAmong } from '../results/baseline.ts'

// What loaders and compilers say about something that is not there. The name is what they miss.
const missing: RegExp[] = [
  /Cannot find (?:module|package|name) ['"`]([^'"`\n]+)/g,
  /Failed to (?:load url|resolve import) ['"`]?([^\s'"`]+)/g,
  /Could not resolve ['"`]([^'"`\n]+)/g,
  /does not provide an export named ['"`]?([\w$]+)/g,
  /No matching export in .{1,300} for import ['"`]([\w$]+)/g,
  /has no exported member (?:named )?['"`]([\w$]+)/g,
  /(?:Property|,) ?(?:and )?['"`]([\w$]+)['"`] does not exist/g,
  /(?<![\w$.])([\w$.]+) is not (?:defined|a function|a constructor)/g,
  /Cannot read propert(?:y|ies) of undefined \(reading '([\w$]+)'\)/g,
  /cannot import name ['"](\w+)/g,
  /No module named ['"]([\w.]+)/g,
  /has no attribute ['"](\w+)/g,
  /does not have the attribute ['"](\w+)/g,
  /name ['"](\w+)['"] is not defined/g,
  /unexpected keyword argument ['"](\w+)/g,
  /\b(\w+)\(\) (?:takes|missing) /g,
  /undefined: ([\w.]+)/g,
  /\.(\w+) undefined \(/g,
  /no required module provides package ([^\s;]+)/g,
  /package (\S+) is not in /g,
  /unknown field (\w+)/g,
  /(?:not enough|too many) arguments in call to ([\w.]+)/g,
  /assignment mismatch: .{1,100}?\b([\w.]+)(?:\(.{0,200}\))? returns/g,
  /missing method (\w+)/g,
  /(?<![\w.])([\w.]+) is not a generic type/g,
  /cannot index ([\w.]+) \(value of type func/g,
  /cannot use .{1,300} in argument to ([\w.]+)/g,
  /cannot find \w+(?:,? \w+){0,4} `([\w:]+)`/g,
  /unresolved import `([\w:]+)`/g,
  /no (?:method|function or associated item|associated item|field|variant)[\w ]* named `(\w+)`/g,
  /could not find `(\w+)`/g,
  /no `(\w+)` in /g,
  /undeclared \w+(?: \w+){0,3} `(\w+)`/g,
  /file not found for module `(\w+)`/g,
  /[Mm]issing script: ["']?([\w:-]+)/g,
  /^(?:.*: )?([\w./-]+): (?:command )?not found$/gm,
  /ENOENT\b[^\n']{0,200}'([^'\n]+)'/g,
  /uninitialized constant (\S+)/g,
  /undefined (?:local variable or )?method [`'](\w+)/g,
  /symbol:\s+\w+ (\w+)/g,
  /Class ["']([^"'\n]+)["'] not found/g,
]

/** Compilers that say only that a call does not fit what is there. */
const unfitting = /error TS(?:2554|2345|2322|2315|2558)\b|takes \d+ arguments? but \d+/

/** That a call does not fit tells something only in the tests themselves: elsewhere the code was wrong before. */
export const withoutStrayMisfits = (text: string, files: readonly string[]): string =>
  text.replace(
    /^.*(?:error TS(?:2554|2345|2322|2315|2558)\b|takes \d+ arguments? but \d+).*(?:\n[ \t]*-->.*)?$/gm,
    (misfit) => {
      const place = /([^\s('"]+?)(?:\(\d+,\d+\)|:\d+:\d+)/.exec(misfit)?.[1]
      return place === undefined || isAmong(place.replace(/^\.\//, ''), files) ? misfit : ''
    },
  )

/** Whether a text tells that something is missing which the story adds; what it is, or null. */
export function missesWhatIsAdded(text: string, sources: readonly Change[]): string | null {
  const added = addedNames(sources)
  return firstMissing(text, (name) => isAdded(name, added))
}

/** The same before anything is added: what is missing may be anything that neither the runner nor `declared` brings. */
export function missesWhatIsToCome(text: string, declared: readonly string[]): string | null {
  return firstMissing(text, (name) => !declared.includes(name) && !ofRunners.test(name))
}

/** What test runners and their libraries give to tests: a test that misses these was not written to its end. */
const ofRunners =
  /^(?:describe|it|test|expect|suite|before|after|(?:before|after)(?:Each|All)|beforeall|assert|jest|vi|vitest|mocha|chai|sinon|cy|pytest|unittest|testing|node:test|@jest\/.*|@playwright\/.*)$/

/** Whether a test fails by its own fault: it lacks what only it, or its runner, could bring. */
export const missesItsOwn = (text: string): boolean =>
  /\bfixture '[^'\n]+' not found/.test(text) ||
  missing.some((expression) => [...text.matchAll(expression)].some(([, name]) => ofRunners.test(name!)))

function firstMissing(text: string, counts: (name: string) => boolean): string | null {
  for (const expression of missing) for (const [, name] of text.matchAll(expression)) if (counts(name!)) return name!
  return unfitting.exec(text)?.[0] ?? null
}

interface Added {
  words: ReadonlySet<string>
  stems: ReadonlySet<string>
}

/** The words on the lines that a change adds, and the names of the files it adds. */
function addedNames(sources: readonly Change[]): Added {
  const words = new Set<string>()
  const stems = new Set<string>()
  for (const { path, oldPath, before, after } of sources) {
    const former = new Set((before ?? '').split('\n'))
    for (const line of (after ?? '').split('\n'))
      if (!former.has(line)) for (const word of line.match(/[\w$]+/g) ?? []) words.add(word)
    if (before === null || oldPath !== null) for (const part of path.split('/')) stems.add(withoutEnding(part))
  }
  return { words, stems }
}

/** A path is known by its last part, or by its folder where that says nothing; a symbol by its last name. */
function isAdded(name: string, { words, stems }: Added): boolean {
  const parts = name.split(/[/\\]|::/).filter((part) => part !== '' && part !== '.' && part !== '..')
  const last = withoutEnding(parts.at(-1) ?? '')
  const own = /^(?:index|mod|__init__)$/.test(last) ? withoutEnding(parts.at(-2) ?? last) : last
  if (stems.has(own)) return true
  const symbols = name
    .replace(/[/\\]/g, ' ')
    .split(/[^\w$]+/)
    .filter((word) => word !== '')
  // A module of Python is named with dots.
  if (!/[/\\]/.test(name) && symbols.length > 1 && stems.has(symbols.at(-1)!)) return true
  const bare = /[/\\]/.test(name) && !name.startsWith('@') ? own.split(/[^\w$]+/) : symbols.slice(-1)
  return bare.length > 0 && bare.every((word) => words.has(word))
}

const withoutEnding = (part: string): string => part.replace(/\.(?:[cm]?[jt]sx?|py|go|rs|json|vue|svelte)$/, '')
