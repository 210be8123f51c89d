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

/** Where a text leaves open what it means, in its own words. Of other languages than English only a few words are known. */
export function vaguenessOf({ sentences, isEnglish }: Prose) {
  const found = (pattern: RegExp): string[] => sentences.flatMap((sentence) => sentence.match(pattern) ?? [])
  return {
    modals: found(isEnglish ? modal : foreignModal),
    quantifiers: found(isEnglish ? quantifier : foreignQuantifier),
    passives: isEnglish ? found(passive) : [],
    pronouns: isEnglish ? danglingPronoun(sentences[0] ?? '') : [],
    placeholders: found(placeholder),
  }
}

const placeholder = /\b(?:TBD|TBC|to be (?:defined|decided|determined))\b|\?{2,}|<(?:insert|your|fill)[^>]{0,200}>/gi

/** "Should" and "may" say clearly what is wanted, or allowed, in most requirements. */
const modal =
  /\b(?:might|maybe|perhaps|possibly|probably|ideally|if possible|where possible|(?:we|it|you) could|could (?:be|also|perhaps)|would be (?:nice|good|great|cool|better)|nice[- ]to[- ]have|some ?how|kind of|sort of|feel free)\b/gi

const quantifier =
  /\b(?:several|various|a lot|lots of|a few|as needed|as appropriate|if (?:needed|necessary|required)|etc\b\.?|and so on|and the like|(?:much )?faster|better|nicer|cleaner|smarter|more (?:robust|readable|modern|intuitive|user-friendly|efficient)|improve\w*|optimi[sz]e\w*|enhance\w*|user-friendly|robust|properly|appropriate(?:ly)?|reasonabl[ey]|adequate|sufficient|seamless(?:ly)?|state of the art|modern(?:i[sz]e)?|good (?:performance|ux|design))(?![\w-])/gi

/** In German, French, Spanish, Italian, Portuguese, Dutch, Russian, Chinese and Japanese: words that mean nothing else. */
const foreignModal =
  /(?<!\p{L})(?:vielleicht|eventuell|möglicherweise|irgendwie|wenn möglich|wäre (?:schön|gut|toll)|peut-être|si possible|éventuellement|ce serait bien|quizás?|tal vez|si es posible|a lo mejor|forse|magari|se possibile|talvez|se possível|misschien|indien mogelijk|может быть|возможно|если возможно|как-нибудь)(?!\p{L})|也许|可能的话|最好能|できれば|たぶん|なんとなく/giu

const foreignQuantifier =
  /(?<!\p{L})(?:verbesser\p{L}*|optimier\p{L}*|besser|schneller|schöner|moderner|benutzerfreundlich\p{L}*|usw\.?|etc\.?|und so weiter|einige|mehrere|améliore\p{L}*|optimise\p{L}*|mieux|plus (?:rapide|moderne|robuste)|plusieurs|mejor\p{L}*|optimiza\p{L}*|más (?:rápido|moderno|robusto)|varios|migliora\p{L}*|ottimizza\p{L}*|melhor\p{L}*|otimiza\p{L}*|verbeter\p{L}*|sneller|улучш\p{L}*|оптимизир\p{L}*|быстрее|лучше|и т\. ?д\.?)(?!\p{L})|改进|优化|改善|更好|更快|などなど|もっと(?:良|速|よ)/giu

/** Somebody has to do it, and nobody says who: with "by" somebody does. */
const passive = /\b(?:should|must|shall|has to|have to|needs? to|is to|are to) be \w+(?:ed|en|nt|ld|ne)\b(?!\s+by\b)/gi

/** Points to something that was never named. */
function danglingPronoun(first: string): string[] {
  const found =
    /^(?:(?:please|just|also|then)\s+)?(?:\w+\s+){0,1}?(it|this|that|these|those|they|them)(?=\s|[.!?,]|$)(?!\s+(?:is|was) (?:possible|necessary))/i.exec(
      first,
    )
  if (found === null) return []
  // "This repository", "that button": named after all.
  const after = first.slice(found[0].length).trimStart().toLowerCase()
  const named =
    /^(?:this|that|these|those)$/i.test(found[1]!) &&
    /^(?!is|was|are|were|should|must|has|have|does|do|needs?|can|will|would|could|so|again|too|work|better|faster|happen|crash|fail|break)[a-z]{3,}/.test(
      after,
    )
  // "Make it possible to", "make it so that": it points ahead.
  const expletive =
    /^it$/i.test(found[1]!) &&
    /^(?:(?:is|should be|must be|was) (?:possible|necessary|required|clear)\b|(?:\w+ )?(?:possible|impossible|easy|easier|optional|configurable|clear|obvious|visible) (?:to|for|that|when|in|how|which|where|whether)\b|so that\b)/.test(
      after,
    )
  return named || expletive ? [] : [found[0]]
}

/** What of a requirement somebody could look at when it is done. */
export const observableOf = (text: string, { sentences }: Prose) => ({
  /** Criteria that say they are some: given/when/then, a list under such a heading, boxes to tick. */
  declared: declared.test(readable(text)),
  /** Sentences that name something that can be seen to happen. */
  behaviours: sentences.filter((sentence) => behaviour.test(sentence) && wordsOf(sentence).length >= 4),
  /** Code, numbers, quotations, names: what a test could be written with. */
  concrete: [...new Set(sentences.flatMap((sentence) => sentence.match(concrete) ?? []))],
})

const declared =
  /\bgiven\b[\s\S]{1,400}\bwhen\b[\s\S]{1,400}\bthen\b|^#{0,6}\s*\**(?:acceptance|done when|definition of done|criteria|expected|akzeptanzkriterien|erwartet)\b|^\s*[-*] \[[ x]\]|\b(?:expected|actual)(?: \w+)?:|\b(?:gegeben|angenommen)\b[\s\S]{1,400}\bwenn\b[\s\S]{1,400}\bdann\b/im

const behaviour =
  /\b(?:returns?|prints?|shows?|displays?|raises?|throws?|rejects?|accepts?|answers?|responds?|writes?|saves?|sends?|logs?|exits?|fails?|refuses?|ignores?|keeps?|contains?|lists?|sorts?|opens?|closes?|renders?|redirects?|warns?|reports?|emits?|stores?|counts?|greets?|crash(?:es)?|must|should|shall|cannot|can|can no longer|is kept|no longer|so that|instead of|without|gibt|zeigt|liefert|meldet|soll(?:en)?|muss|müssen|darf)\b/i

const concrete = new RegExp(
  `${mark}|\\d+(?:[.,]\\d+)*|"[^"\\n]{1,80}"|“[^”\\n]{1,80}”|„[^“\\n]{1,80}“|'[^'\\n]{2,80}'|\\b[A-Z]{2,}[a-z]?\\b`,
  'g',
)

/** Documents of which a requirement says that they hold what is wanted: "implement docs/spec.md", "as described in …". */
export const documentsIn = (text: string): string[] => [
  ...new Set([...readable(text).matchAll(pointing)].map(([, path]) => path!.replace(/^\.\//, ''))),
]

/** The first of those that nobody can read in the repository. A name without its folder may be that of any file. */
export const missingDocuments = (text: string, files: readonly string[]): string[] =>
  documentsIn(text)
    .slice(0, most)
    .filter((path) => !/^https?:/i.test(path) && !files.some((file) => file === path || file.endsWith(`/${path}`)))

/** Each is looked for among all files, and listed. */
const most = 50

const pointing =
  /\b(?:see|follow|implement(?: (?:everything|all|what is)(?: of| in)?)?|do (?:what|as) (?=\S+ says)|(?:described|specified|defined|(?:as|what is) written|laid out|outlined|documented|stated|said|as) (?:down )?(?:in|by)|according to|(?:siehe|gemäß|laut|(?:beschrieben|festgelegt) in|setze?)|selon|según|secondo) (?:the (?:file|spec|specification|document|plan) |der Datei )?[`"'(]?((?:https?:\/\/[^\s<>"'`)\]]*[^\s<>"'`)\].,;:!?])|[\w@.-]*(?:\/[\w@.-]+)*\.(?:mdx?|txt|rst|adoc|pdf|ya?ml|json|html?|docx?|feature|proto|graphql))(?![\w/])/gi
