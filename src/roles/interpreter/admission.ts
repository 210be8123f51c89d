import { isQuestion } from '../../proof/intent/question.ts'

/** Why a text cannot be a requirement, whoever brings it, and what to do instead; null: it can. */
export function notARequirement(text: string): { why: string; remedy: string } | null {
  if (isBinary(text)) return { why: 'the requirement is not text', remedy: 'give it as text in UTF-8' }
  if (!/\p{L}/u.test(text))
    return { why: 'the requirement has no word in it', remedy: 'say what is to be different when it is done' }
  if (isQuestion(text))
    return {
      why: 'this asks for an answer, not for a change, so that there is nothing to deliver',
      remedy:
        'say what is to be different when it is done, for example "Document … in the README"; for an answer ask an agent itself',
    }
  return null
}

/** What was read as text and is none has characters that no text has, or that stand for what could not be read. */
function isBinary(text: string): boolean {
  const sample = text.slice(0, 100_000)
  const strange = sample.match(/[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g)?.length ?? 0
  return sample.includes('\0') || strange * 50 > sample.length
}
