import type { Replayed } from '../../../ports/repository/composing.ts'
import type { CommitMessage } from '../../../ports/repository/workspaces.ts'
import { textOf } from '../commit.ts'

/** The message of a story's last commit: the coder's own where there is one, with our trailers beside theirs. */
export function lastText(
  message: CommitMessage,
  { by, addition, note }: { by: Replayed['by']; addition: string; note: string },
): string {
  if (by === null) return textOf({ ...message, body: joined([message.body, note]) })
  const paragraphs = by.message.trim().split(/\n(?:[ \t]*\n)+/)
  const theirs = paragraphs.length > 1 && paragraphs.at(-1)!.split('\n').every(isTrailer) ? paragraphs.pop()! : ''
  const ours = message.trailers.map(([key, value]) => `${key}: ${value}`)
  const trailers = [...(theirs === '' ? [] : [theirs]), ...ours].join('\n')
  return `${joined([...paragraphs, addition, note, trailers])}\n`
}

const joined = (parts: string[]): string => parts.filter((part) => part !== '').join('\n\n')

const isTrailer = (line: string): boolean => /^[A-Za-z][A-Za-z0-9-]*: \S/.test(line)
