/** The files of a commit; the texts of those that were worth reading. */
export interface Tree {
  files: ReadonlySet<string>
  texts: ReadonlyMap<string, string>
}

/** What a file needs: other files, or a folder as a whole, which ends with a slash. */
export type Reads = (path: string) => string[]

const code = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs)$/

/** Nobody here reads what it needs, but it can be broken, where a check is asked as a whole. */
const otherCode = /\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm|zig|java|kts?|scala|groovy|cs|swift|dart|rb|php|lua|p[lm]|exs?)$/

export const isOtherCode = (path: string): boolean => otherCode.test(path)

export const manifestNames = ['package.json', 'go.mod', 'Cargo.toml', 'pyproject.toml', 'setup.py', 'setup.cfg']

export const isCode = (path: string): boolean => code.test(path)

export const isManifest = (path: string): boolean => manifestNames.includes(path.slice(path.lastIndexOf('/') + 1))

/** What others have installed is not of the project. */
const isForeign = (path: string): boolean => /(?:^|\/)(?:node_modules|vendor|\.venv|site-packages|target)\//.test(path)

/** What must be read to know who needs whom, and what can be broken. */
export const worthReading = (path: string): boolean =>
  (isCode(path) || isOtherCode(path) || isManifest(path)) && !isForeign(path)

export const stemOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '')
