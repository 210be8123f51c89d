import { describe, expect, it } from 'vitest'
import {
  conflictsWith,
  identityFiles,
  isPrefixed,
  linksIn,
  rankFiles,
  rareWords,
  sampleOf,
  saysSomething,
  uncommon,
  wholePart,
} from './relevant-files.ts'

describe('the words by which code is found', () => {
  it('are names, quotations, and what is not said in every text', () => {
    const text = 'Add a "due date" to invoices: parseIsoDate and max_days are there already.'
    expect(rareWords(text)).toEqual([
      ...['parseisodate', 'max_days', 'due date', 'due', 'date', 'invoice', 'max', 'days', 'already'],
    ])
  })

  it('are none in a text of common words, and few in a long one', () => {
    expect(rareWords('Make it so that this works')).toEqual([])
    expect(rareWords(Array.from({ length: 500 }, (_, n) => `wort${n}x`).join(' '))).toHaveLength(16)
  })

  it('are not those that most files hold, and not those of paths', () => {
    const sample = Array.from({ length: 100 }, (_, n) => (n % 3 === 0 ? 'the Total' : n === 5 ? 'roundCents' : ''))
    expect(uncommon(['total', 'roundcents', 'nowhere'], sample)).toEqual(['roundcents', 'nowhere'])
    expect(uncommon(['total'], ['total'])).toEqual(['total'])
    expect(sampleOf(Array.from({ length: 1_000 }, (_, n) => `${n}`))).toHaveLength(120)
    expect(rareWords('Mend src/parser/lexer.js now, the lexer')).toEqual(['mend', 'lexer'])
  })

  it('are found in other scripts', () => {
    expect(rareWords('Сортировка пользователей')).toEqual(['сортировка', 'пользователей'])
  })
})

describe('what a requirement points to', () => {
  const files = ['src/tax.js', 'src/index.js', 'lib/index.js', 'docs/guide.md']

  it('are files that are there, also by a name that only one has, and nothing of an address', () => {
    const text = 'See ./src/tax.js, guide.md, index.js and https://example.org/src/tax.js?a=1. Then add src/none.js.'
    expect(linksIn(text, files)).toEqual(['src/tax.js', 'docs/guide.md'])
  })
})

describe('the identity of a project', () => {
  const files = ['src/a.js', 'README.md', 'docs/decisions/one.md', 'VISION.md', 'CONTRIBUTING.md', 'sub/README.md']

  it('is in the usual files, the weightiest first, or in those that are configured', () => {
    expect(identityFiles(files, [])).toEqual(['VISION.md', 'README.md', 'CONTRIBUTING.md', 'docs/decisions/one.md'])
    expect(identityFiles(files, ['sub/*.md'])).toEqual(['sub/README.md'])
  })

  it('is not in a title', () => {
    expect(saysSomething('# Yard\n')).toBe(false)
    expect(saysSomething('# Yard\n\nKeeps the invoices of small shops, on their own machine.\n')).toBe(true)
  })

  it('can be against a requirement', () => {
    const vision =
      '# Vision\n\nWe never store passwords of customers. It is fast.\n\n## Non-goals\n\n- mails to customers\n- charts\n'
    const found = conflictsWith('Store the passwords of all customers', [{ source: 'VISION.md', text: vision }])
    expect(found).toMatchObject([
      { about: 'store, password, customer', holds: 'VISION.md: We never store passwords of customers.' },
    ])
    expect(conflictsWith('Send mails to customers every week', [{ source: 'V', text: vision }])).toHaveLength(1)
    expect(conflictsWith('Sort the invoices by date', [{ source: 'V', text: vision }])).toEqual([])
  })
})

describe('files that hold what is searched for', () => {
  it('come the earlier the rarer the words are that they hold', () => {
    const files = ['a.js', 'b.js', 'c.js', 'invoice.js', 'dist/a.js']
    const line = (path: string, text: string) => ({ path, line: 1, text })
    const found = [
      ...['a.js', 'b.js', 'c.js', 'dist/a.js'].map((path) => line(path, 'the Total of all')),
      line('b.js', 'dueDate(total)'),
      line('dist/a.js', 'dueDate'),
    ]
    const ranked = rankFiles(found, { words: ['total', 'dueDate', 'invoice'], files })
    expect(ranked.map(({ path }) => path)).toEqual(['b.js', 'invoice.js', 'a.js', 'c.js', 'dist/a.js'])
    expect(ranked[0]).toMatchObject({ words: ['total', 'duedate'], lines: [{ line: 1 }, { line: 1 }] })
  })
})

describe('the commits of a repository', () => {
  it('begin with the kind of work where most of the last ones do', () => {
    expect(isPrefixed(['feat(api)!: a', 'fix: b', 'Merge c'])).toBe(true)
    expect(isPrefixed(['feat: a', 'Add b', 'Fix: c'])).toBe(false)
    expect(isPrefixed([])).toBe(false)
  })
})

describe('a part of a text', () => {
  it('ends with a paragraph, or a line, and says what is left', () => {
    expect(wholePart('ab\n\ncd\n\nef', 8)).toEqual({ text: 'ab\n\ncd', leftBytes: 4 })
    expect(wholePart('abcd\nefgh\nij', 7)).toEqual({ text: 'abcd', leftBytes: 8 })
    expect(wholePart('short', 7)).toEqual({ text: 'short', leftBytes: 0 })
    expect(wholePart('ä'.repeat(9), 7)).toEqual({ text: 'äää', leftBytes: 12 })
  })
})
