import { languageOf } from '../files/test-file.ts'
import { mask } from './edit.ts'

/** The same code with more room between its words: whoever notices looks at how it is written, not at what it does. */
export function withMoreRoom(path: string, text: string): string {
  // Where words between tags, or in an expression between slashes, are part of what is done.
  if (/\.(?:[jt]sx|vue|svelte)$/.test(path)) return text
  const masked = mask(text, languageOf(path)).split('\n')
  return text
    .split('\n')
    .map((line, index) => (/\.[cm]?[jt]s$/.test(path) && line.includes('/') ? line : roomy(line, masked[index]!)))
    .join('\n')
}

function roomy(line: string, masked: string): string {
  const isWord = (at: number): boolean => masked[at] === line[at] && /\S/.test(line[at] ?? ' ')
  return line.replace(/ /g, (room, at: number) => (isWord(at - 1) && isWord(at + 1) ? '  ' : room))
}

/** Whether tests may look at the text of what they test, as far as words tell. */
export const mayReadSources = (test: string): boolean =>
  /\bgetsource\w*\(|\b__code__\b|\bco_(?:code|consts|names)\b|\bread_(?:text|bytes|to_string)\b|\bopen\(|\breadFile\w*\(|\bReadFile\(|\binclude_(?:str|bytes)!|\bast\.parse\b|\bparser\.Parse|\.toString\(\)/.test(
    test,
  )
