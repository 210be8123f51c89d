import { fenced } from '../prompt/fence.ts'
import { type Section, section } from '../prompt/sections.ts'

/** The coding standards of whoever runs this; they are in no file of the repository by our doing. */
export const constitutionSection = (text: string): Section =>
  section('constitution', 'Coding standards', [
    'They hold for all that you write or judge here, unless the rules say otherwise.',
    fenced(text, 'standards'),
  ])

/** What was learned earlier may be out of date. */
export const memorySection = (facts: { about: string; text: string }[]): Section =>
  section(
    'memory',
    'What was learned about this repository',
    facts.length === 0
      ? []
      : [
          'It may be out of date: where the files say otherwise, they are right.',
          ...facts.map(({ about, text }) => fenced(`${about}: ${text}`, 'fact')),
        ],
  )

/** Where the story stands, as the log tells it. */
export const transitionSection = (lines: string[]): Section =>
  section('transition', 'Where it stands', lines.length === 0 ? [] : [fenced(lines.join('\n'), 'standing')])
