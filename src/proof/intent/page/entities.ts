/** Letters that pages write by name or by number. */
export const unescaped = (text: string): string =>
  text.includes('&') ? text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,8}\d{0,2});/gi, letter) : text

function letter(whole: string, said: string): string {
  if (!said.startsWith('#')) return named[said] ?? named[said.toLowerCase()] ?? whole
  const point = said[1] === 'x' || said[1] === 'X' ? Number.parseInt(said.slice(2), 16) : Number(said.slice(1))
  const isLetter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
  return isLetter ? String.fromCodePoint(point) : '\ufffd'
}

const named: Record<string, string> = Object.assign(Object.create(null), {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', copy: '©', reg: '®', trade: '™', deg: '°' },
  ...{ hellip: '…', mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', bdquo: '„', laquo: '«' },
  ...{
    raquo: '»',
    bull: '•',
    middot: '·',
    times: '×',
    divide: '÷',
    plusmn: '±',
    minus: '−',
    le: '≤',
    ge: '≥',
    ne: '≠',
  },
  ...{ rarr: '→', larr: '←', euro: '€', pound: '£', cent: '¢', sect: '§', para: '¶', frac12: '½', sup2: '²' },
  ...{ auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü', szlig: 'ß', eacute: 'é', egrave: 'è' },
  ...{ agrave: 'à', ccedil: 'ç', ntilde: 'ñ', aring: 'å', oslash: 'ø', aelig: 'æ', iexcl: '¡', iquest: '¿' },
})
