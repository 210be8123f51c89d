export type Category =
  | 'missing symbol'
  | 'syntax'
  | 'type'
  | 'import'
  | 'test'
  | 'build configuration'
  | 'environment'
  | 'timeout'

// The first that fits; a failed import is often also a SyntaxError, so imports come first.
const signs: [Category, RegExp][] = [
  ['environment', /command not found|: not found$|ENOSPC|EACCES|EADDRINUSE|ECONNREFUSED|ENOTFOUND|heap out of memory/m],
  [
    'build configuration',
    /[Mm]issing script|tsconfig\S*\.json|[Uu]nknown (?:option|argument|flag)|[Uu]nrecognized (?:option|argument)|unexpected argument|ENOENT.*package\.json/,
  ],
  [
    'import',
    /Cannot find (?:module|package)|ERR_MODULE_NOT_FOUND|does not provide an export|ModuleNotFoundError|ImportError|unresolved import|no required module provides|cannot find package|Failed to resolve import/,
  ],
  [
    'missing symbol',
    /ReferenceError|is not defined|is not a function|NameError|AttributeError|error TS2(?:304|339|305)|undefined: \w|cannot find (?:value|function|type|macro|trait)|no (?:method|function|field) named|has no attribute/,
  ],
  [
    'syntax',
    /SyntaxError|Unexpected token|[Pp]arse error|[Pp]arsing error|IndentationError|error TS1\d{3}\b|expected one of/,
  ],
  ['type', /error TS\d+|TypeError|mismatched types|incompatible type|cannot use .* as .* value/],
  ['timeout', /timed? ?out|ETIMEDOUT|still pending but the event loop/i],
  ['test', /Assert|expected|not ok|FAIL/],
]

/** What kind of failure a text tells of, or null. */
export function categoryOf(text: string): Category | null {
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? null
}

/** What the check runs is not there, or not yet: nothing was checked. */
export const isNotThereYet = ({ message, tail }: { message: string; tail: string }): boolean =>
  /ENOENT|[Mm]issing script|not found|No such file|[Cc]ould not find|no Go files|exit code 127/.test(
    `${message}\n${tail}`,
  )
