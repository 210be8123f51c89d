import { describe, expect, it } from 'vitest'
import { isQuestion } from './question.ts'

describe('a text that only asks', () => {
  it.each([
    'How does the retry policy work?',
    'how does the scheduler work',
    'What is the default timeout?',
    'Why does the login answer with 500?',
    'Where is the configuration loaded from?',
    'Which file holds the routes?',
    'Does the parser support dates?',
    'Is there a limit on uploads?',
    'Are sessions shared between tabs?',
    'Can users log in with SSO?',
    'Hi! How does `drive()` pick the next step?',
    'Hello,\n\nwhat does src/engine/drive.ts do?\n\nThanks!',
    "I'm new here. Where do I start? What is a story?",
    'Explain how the cache is invalidated.',
    'Please explain the retry logic',
    'Could you explain what the lease is for?',
    'Tell me what this repository does',
    'Wie funktioniert der Abgleich?',
    'Warum wird die Datei zweimal gelesen?',
    'Comment fonctionne le cache ?',
    '¿Cómo funciona la caché?',
    'What happens when the disk is full? Does it retry?',
    'What is a story and how is it coded',
    'Who is the owner of a story',
    'What does this do?\n\n```js\nif (a) remove(b)\n```',
  ])('is a question: %s', (text) => {
    expect(isQuestion(text)).toBe(true)
  })
})

describe('a text that wants something', () => {
  it.each([
    'Add a --json flag to status',
    'Can you add a dark mode?',
    'Could you please fix the login?',
    'Can we have pagination in the list?',
    'Would you rename `a` to `b`?',
    'How about a dark mode?',
    "Why don't we cache the result?",
    "Shouldn't the button be red?",
    'Why is the button blue? Make it red.',
    'How does the cache work? Write it down in docs/cache.md.',
    'Explain the retry logic in the README',
    'Describe the settings in docs/settings.md',
    'When the user clicks save, the file is written',
    'When a date is invalid, what should happen is an error',
    'What is shown on the start page must depend on the role',
    'Fix `a ? b : c` in the parser',
    'Who is logged in is shown in the header',
    'What is typed is kept after a reload',
    'Why is the button blue, make it red',
    'Why does the login fail - fix it',
    'Open https://example.org/?q=how and import what it lists',
    'Kannst du bitte einen dunklen Modus einbauen?',
    'Könntest du die Anmeldung reparieren?',
    'Peux-tu ajouter un mode sombre ?',
    'Füge eine Option --json hinzu',
    'The list should show: what is open? what is done?',
    'FAQ page: list "How does it work?" and its answer',
    '',
    '?',
    '```\nhow does it work?\n```',
  ])('is none: %s', (text) => {
    expect(isQuestion(text)).toBe(false)
  })
})
