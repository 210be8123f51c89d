import { describe, expect, it } from 'vitest'
import { ambiguities } from '../../delivery/intent/context.ts'
import { requirementChecks, structuralSignals } from './clarity.ts'
import { isQuestion } from './question.ts'
import { rareWords } from './relevant-files.ts'
import { missingDocuments } from './wording.ts'

const failed = (text: string) => requirementChecks(text).flatMap(({ rule, passed }) => (passed ? [] : [rule]))
const around = { hasIdentity: true, unreachable: [], conflicts: [] }
const floor = (text: string, more = {}) =>
  ambiguities[
    Math.max(0, ...structuralSignals(text, { ...around, ...more }).map(({ sets }) => ambiguities.indexOf(sets)))
  ]
const names = (text: string, more = {}) => structuralSignals(text, { ...around, ...more }).map(({ name }) => name)

describe('a requirement that can be worked from', () => {
  it.each([
    'Add a --json flag to `ropewalk status` that prints the state as JSON',
    'greet(name) returns "Hello <name>!"',
    'The login page shows an error when the password is wrong.',
    'Given an empty cart, when the total is asked for, then it is 0.',
    'Rename `fetchAll` to `loadAll` everywhere it is called in src/api',
    'Reject dates such as 2024-02-30 with an error that names the day',
    'Round prices to two digits, half up, in src/price.js',
    'Sort the list of users by name, and keep the order of equal names',
    'fix: `parse("")` throws instead of returning []',
    'Support for several accounts: a user can switch between them in the header, and the choice is kept after a reload.',
    'When a webhook fails, it is tried again 3 times, after 1, 2 and 4 seconds.',
    // "It" points ahead, what is to be done is said elsewhere, and who leads with a question word states something.
    'Make it possible to export invoices as CSV',
    'Make it so that invoices can be exported as CSV',
    'Implement docs/spec.md',
    'Implement the feature described in SPEC.md',
    // The language is no reason.
    'добавь тёмную тему',
    '添加深色模式',
    'Ajoute un mode sombre',
    'Füge dem Befehl „status“ eine Option hinzu, die den Zustand als JSON ausgibt',
    'Die Liste der Benutzer soll nach Namen sortiert werden',
    'Ajoute une option pour trier la liste des utilisateurs par nom',
    'Добавь в список пользователей сортировку по имени',
    'ユーザー一覧を名前順に並べ替えるオプションを追加し、選択を保存する。エラーは表示する。',
    'Añade un modo oscuro a la página de ajustes',
    // Words in code are no words.
    'Call `maybeImprove()` in src/better/robust.ts and return what `optimizeSome()` says',
    'Print this:\n\n```\nmaybe it could be better, perhaps, etc. TBD ???\n```\n\nand exit with 0.',
  ])('is not vague and sets no floor: %s', (text) => {
    expect(failed(text).length).toBeLessThan(2)
    expect(floor(text)).toBe('clear')
  })
})

describe('a requirement that says what is to be there, or gone', () => {
  it.each([
    'Add pagination to the users endpoint',
    'Add dark mode',
    'Let users delete their account',
    'Support Python 3.13',
    'Translate the page into French',
    'Migrate from Jest to Vitest',
    'Use TypeScript strict mode',
  ])('is not vague, though it does not say when it is done: %s', (text) => {
    expect(failed(text)).toEqual(['criteria'])
  })
})

describe('a requirement that cannot', () => {
  it.each([
    ['Make it better', ['unambiguous', 'testable', 'criteria', 'scoped']],
    ['Improve performance', ['unambiguous', 'testable', 'criteria']],
    ['Fix it', ['unambiguous', 'testable', 'criteria', 'scoped']],
    ['refactor', ['testable', 'criteria', 'scoped']],
    ['Make the whole application more robust and user-friendly', ['unambiguous', 'criteria', 'scoped']],
    ['We could maybe modernize things if possible', ['unambiguous', 'testable', 'criteria']],
    ['It should be nicer', ['unambiguous']],
    ['Add it', ['unambiguous', 'testable', 'criteria', 'scoped']],
    ['Add better support', ['unambiguous', 'testable']],
    ['Make it faster', ['unambiguous', 'testable', 'criteria']],
  ])('%s', (text, rules) => {
    expect(failed(text)).toEqual(expect.arrayContaining(rules))
    expect(floor(text)).not.toBe('clear')
  })

  it.each([
    ['Verbessere irgendwie die Suche, vielleicht mit einem Cache usw.', 'uncertain'],
    ['Хорошо бы улучшить поиск, сделать быстрее и лучше', 'uncertain'],
    ['できればもっと速く、もっと良く検索を改善する', 'uncertain'],
  ])('is in another language: %s', (text, level) => {
    expect(failed(text)).toContain('unambiguous')
    expect(floor(text)).toBe(level)
  })

  it('is in another language, and short', () => {
    expect(failed('Améliore les performances si possible')).toEqual(['unambiguous', 'testable', 'criteria'])
  })

  it('has several goals', () => {
    expect(failed('Add a dark mode to the page. Also, delete accounts after 30 days.')).toContain('one-goal')
    const list = Array.from({ length: 9 }, (_, n) => `- Add page ${n} that shows ${n}`).join('\n')
    expect(failed(list)).toEqual(['one-goal'])
  })

  it('has places that nobody filled in', () => {
    expect(failed('The limit is TBD; above it the upload fails with 413')).toEqual(['unambiguous'])
    expect(floor('The limit is TBD; above it the upload fails with 413')).toBe('uncertain')
  })
})

describe('what is around a requirement', () => {
  const clear = 'greet(name) returns "Hello <name>!"'

  it('can make it uncertain, each by name', () => {
    expect(names(clear)).toEqual(['no-criteria'])
    expect(floor(clear, { hasIdentity: false })).toBe('uncertain')
    expect(floor(clear, { unreachable: ['https://example.org/spec'] })).toBe('uncertain')
    expect(floor(clear, { conflicts: ['VISION.md says otherwise'] })).toBe('uncertain')
    expect(names(clear, { hasIdentity: false, unreachable: ['x'], conflicts: ['y'] })).toEqual([
      ...['no-criteria', 'unreachable-source', 'no-project-identity', 'against-the-project'],
    ])
  })

  it('is told with evidence', () => {
    const [modals] = structuralSignals('Maybe the list could be sorted by name, perhaps', around)
    expect(modals).toEqual({ name: 'weak-modals', sets: 'uncertain', evidence: 'Maybe; could be; perhaps' })
  })

  it('has a level of its own for each passive, pronoun and quantifier', () => {
    expect(names('This crashes when the name is empty')).toContain('undefined-pronouns')
    expect(names('This repository gets a licence file: "MIT"')).not.toContain('undefined-pronouns')
    expect(names('Errors should be handled, logs must be written, and users have to be informed')).toContain(
      'passive-without-agent',
    )
    expect(floor('Better, faster, nicer and more modern pages for `/users`')).toBe('ambiguous')
  })
})

describe('a document that a requirement points to', () => {
  it('is missed where it is not there', () => {
    for (const text of [
      'Implement what is written in docs/spec.md',
      'Do it as described in docs/spec.md',
      'Siehe docs/spec.md',
    ])
      expect(missingDocuments(text, ['README.md'])).toEqual(['docs/spec.md'])
    expect(missingDocuments('See README.md', ['README.md'])).toEqual([])
  })

  it('is looked for among many, but not among all that somebody can write down', () => {
    const text = Array.from({ length: 5_000 }, (_, n) => `see doc${n}.md`).join(', ')
    expect(missingDocuments(text, []).length).toBeLessThan(100)
  })

  it('is none that the work is to write', () => {
    for (const text of ['The total is written in report.json', 'Exportiere die Benutzer nach users.json'])
      expect(missingDocuments(text, [])).toEqual([])
  })
})

describe('a text that no human wrote', () => {
  it.each([
    ['blank lines', '\n'],
    ['spaces', ' '],
    ['dashes', '-'],
    ['dots', '.'],
    ['letters', 'a'],
    ['names', 'aB'],
    ['ticks', '`'],
    ['places', '<insert '],
  ])('is read in time, however long it is: %s', (_, run) => {
    const text = `Sort users by name ${run.repeat(100_000 / run.length)} in the list`
    expect(requirementChecks(text)).toHaveLength(5)
    expect(names(text)).not.toContain('unreachable-source')
    expect(rareWords(text)).toContain('sort')
    expect(isQuestion(text)).toBe(false)
  })

  it('is not cut where words have no spaces between them', () => {
    expect(failed(`${'修改按钮的颜色，'.repeat(100)}。显示错误。`).length).toBeLessThan(2)
  })
})
