// A signed statement is a DSSE envelope (https://github.com/secure-systems-lab/dsse) around its exact bytes.

export const payloadType = 'application/vnd.in-toto+json'

export interface Envelope {
  payloadType: typeof payloadType
  /** Base64 of the statement's text. */
  payload: string
  /** `sig`: base64 of an SSH signature in the namespace `ropewalk`. */
  signatures: { keyid: string; sig: string }[]
}

/** What is signed for a statement's text. */
export function signedText(text: string): string {
  const bytes = (part: string): number => Buffer.byteLength(part)
  return `DSSEv1 ${bytes(payloadType)} ${payloadType} ${bytes(text)} ${text}`
}

export const envelopeOf = (text: string, signature: { keyid: string; sig: string }): Envelope => ({
  payloadType,
  payload: Buffer.from(text).toString('base64'),
  signatures: [signature],
})

/** The statement's text; null when this is no envelope of that kind. */
export function payloadOf(value: object): { text: string; signatures: Envelope['signatures'] } | null {
  const { payloadType: type, payload, signatures } = value as Partial<Envelope>
  if (type !== payloadType || typeof payload !== 'string' || !Array.isArray(signatures)) return null
  const sound = signatures.filter((one) => typeof one?.sig === 'string' && typeof one.keyid === 'string')
  return { text: Buffer.from(payload, 'base64').toString('utf8'), signatures: sound }
}
