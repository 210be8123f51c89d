import type { Language } from '../inspection/tests/test-file.ts'

const strings = '"(?:\\\\.|[^"\\\\\\n])*"|\'(?:\\\\.|[^\'\\\\\\n])*\'|`(?:\\\\.|[^`\\\\])*`'
const withSlashes = new RegExp(`//[^\\n]*|/\\*[\\s\\S]*?\\*/|${strings}`, 'g')
const withHashes = new RegExp(`"""[\\s\\S]*?"""|'''[\\s\\S]*?'''|#[^\\n]*|${strings}`, 'g')

/** The text with its strings and comments blanked, for languages that no parser here knows. */
export const mask = (text: string, language: Language): string =>
  text.replace(hashed.includes(language) ? withHashes : withSlashes, (part) => part.replace(/[^\n]/g, ' '))

const hashed: Language[] = ['python', 'ruby', 'other']
