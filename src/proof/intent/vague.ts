import type { Prose } from './prose.ts'

/** Where a text leaves open what it means, in its own words. Of other languages than English only a few words are known. */
export interface Vagueness {
  modals: string[]
  quantifiers: string[]
  passives: string[]
  pronouns: string[]
  placeholders: string[]
}

export function vaguenessOf({ sentences, isEnglish }: Prose): Vagueness {
  const found = (pattern: RegExp): string[] => sentences.flatMap((sentence) => sentence.match(pattern) ?? [])
  const placeholders = found(
    /\b(?:TBD|TBC|to be (?:defined|decided|determined))\b|\?{2,}|<(?:insert|your|fill)[^>]{0,200}>/gi,
  )
  if (!isEnglish)
    return {
      modals: found(foreignModal),
      quantifiers: found(foreignQuantifier),
      passives: [],
      pronouns: [],
      placeholders,
    }
  return {
    modals: found(modal),
    quantifiers: found(quantifier),
    passives: found(passive),
    pronouns: danglingPronoun(sentences[0] ?? ''),
    placeholders,
  }
}

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
