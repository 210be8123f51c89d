/** What a requirement says in words: code, addresses and file names are one mark each, so that no rule reads them as prose. */
export interface Prose {
  sentences: string[]
  words: string[]
  /** The rules about words know English alone; of another language they say nothing. */
  isEnglish: boolean
  /** Of a script without spaces between words, some letters make one. */
  length: number
}

/** Stands for code in a sentence. */
export const mark = '‹code›'

export function proseOf(text: string): Prose {
  const sentences = sentencesOf(withoutCode(readable(text)))
  const words = sentences.flatMap(wordsOf)
  const dense = sentences.join('').match(/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/gu)?.length ?? 0
  return { sentences, words, isEnglish: isEnglish(words), length: words.length + Math.floor(dense / 3) }
}

const longest = 100_000

/** As much as anybody reads, and no run that only machines write: rules on words take a time that grows with its square. */
export const readable = (text: string): string =>
  text
    .slice(0, longest)
    .replace(/[!-~]{300,}/g, (run) => run.slice(0, 300))
    .replace(/\s{40,}/g, (blank) => (blank.includes('\n') ? '\n\n' : ' '))

export const wordsOf = (sentence: string): string[] => sentence.toLowerCase().match(/[\p{L}][\p{L}'’-]*/gu) ?? []

export function withoutCode(text: string): string {
  return text
    .replace(/^[ \t]*(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^[ \t]*\1[^\n]*$|$(?![\s\S]))/gm, `\n${mark}\n`)
    .replace(/^(?: {4,}|\t)\S.*$/gm, mark)
    .replace(/`[^`\n]+`/g, mark)
    .replace(/\bhttps?:\/\/\S+/g, mark)
    .replace(/(?<![\p{L}\d])--?[a-z][\w-]*(?:=\S+)?/gu, mark)
    .replace(/(?<![\p{L}\d])(?:[\w.@-]+\/)+[\w.@-]+/gu, mark)
    .replace(/\b[A-Za-z_$][\w$]*\([^()\n]{0,200}\)/g, mark)
    .replace(/\b(?:[a-z]+[A-Z]\w*|\w+_\w+|\w+\.(?:[jt]sx?|py|go|rs|java|rb|md|json|ya?ml|css|html))\b/g, mark)
}

/** A line of its own, a list's item and a heading end what was before them. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n|\n(?=\s*(?:[-*+•]|\d+[.)]|#{1,6})\s)/)
    .flatMap((block) => block.replace(/\s*\n\s*/g, ' ').split(/(?<=[.!?。！？…])["')\]]*\s+(?=[^a-z]|[a-z])/u))
    .map((sentence) => sentence.replace(/^[\s>#*+•-]+|^\s*\d+[.)]\s+/g, '').trim())
    .filter((sentence) => /[\p{L}\d]/u.test(sentence.replaceAll(mark, '')))
}

const english = new Set(
  'the a an and or of to in on at for with from by is are was be been it its this that these those when if then not no can could should would must may will shall do does did have has had how what why where which who as so than but into only each every all any some more make add remove fix use show change let return support allow update create rename move delete write given we you they i our your their user users'.split(
    ' ',
  ),
)

/** Common words are a good part of any English sentence, and of hardly any other. A word or two may as well be. */
function isEnglish(words: string[]): boolean {
  const foreign = words.filter((word) => /[^\p{ASCII}’]/u.test(word)).length
  if (words.length === 0 || foreign * 8 > words.length) return false
  if (words.length <= 2) return true
  const known = words.filter((word) => english.has(word)).length
  return known >= Math.max(1, Math.ceil(words.length / 6))
}
