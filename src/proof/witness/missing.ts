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

/** Whether a text tells that something is missing, which may be anything that neither the runner nor `declared` brings; what it is, or null. */
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
