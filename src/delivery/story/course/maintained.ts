import type { StoryId } from '../../ids.ts'
import type { Finding } from '../../judging/finding.ts'
import type { DeliveryState } from '../../state.ts'
import type { Handoff } from '../handoff.ts'
import type { StoryControl, StoryState } from '../story.ts'

/** The coder says of each of these tests that the requirement demands another one. */
export const isMaintained = ({ changedTests }: Handoff, findings: readonly Finding[]): boolean =>
  changedTests.length > 0 && findings.every((finding) => changedTests.some(({ test }) => names(test, testIn(finding))))

/** Coders write a test's name with its file, or without its suites. */
const names = (said: string, test: string): boolean =>
  said.includes(test) || (said.trim().length > 2 && test.includes(said.trim()))

/** As the guard quotes it; of a check that failed as a whole its name. */
export const testIn = ({ message, source }: Finding): string =>
  /^the test "(.*?)", as it was before/s.exec(message)?.[1] ?? source.replace(/^guard:/, '')

/** What the coder says of them, for people and reviewers. */
export const maintainedText = ({ changedTests }: Handoff): string =>
  changedTests.map(({ test, why, criterion }) => `${test}: ${why} (${criterion})`).join('; ')

/** Told of each test by itself. */
export const changedExpectations = ({ spec, handoff }: StoryState, findings: readonly Finding[]): string[] => {
  const said = maintainedText(handoff)
  return findings.map(
    (finding, index) => `${changes(spec.id)}${testIn(finding)}${index === 0 ? `; its coder: ${said}` : ''}`,
  )
}

/** Those of a story, without what its author says about them. */
export const expectationsChangedBy = ({ concerns }: DeliveryState, id: StoryId): string[] =>
  concerns.flatMap((one) =>
    one.startsWith(changes(id)) ? [one.slice(changes(id).length).replace(/; its coder: .*$/s, '')] : [],
  )

const changes = (id: StoryId): string => `${id} changes what an old test expects: `

export type Contested = Extract<StoryControl, { status: 'contested' }>
