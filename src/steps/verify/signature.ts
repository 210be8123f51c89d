import type { Demands } from '../../ports/proofs/verifier.ts'
import { type Found, signedText } from '../../proof/statement/note.ts'
import type { VerifyWorld } from './world.ts'

export interface Signed {
  problems: string[]
  remarks: string[]
  signer: string | null
  /** By somebody whose signature counts. */
  trusted: boolean
}

/** Every signature must fit; one by a known key makes it trusted. */
export async function signatureOf(
  { signing }: Pick<VerifyWorld, 'signing'>,
  { text, signatures }: Found,
  { signersFile, signed, strict }: Pick<Demands, 'signersFile' | 'signed' | 'strict'>,
): Promise<Signed> {
  const told: Signed = { problems: [], remarks: [], signer: null, trusted: false }
  for (const signature of signatures) {
    const word = await signing.verify({ text: signedText(text), signature, signersFile })
    if (word.status === 'bad') told.problems.push(`its signature does not fit: ${word.problem}`)
    else if (word.status === 'good') Object.assign(told, { signer: word.signer, trusted: true })
    else {
      told.signer ??= word.key
      const unknown = `it is signed by ${word.key}, and nobody has said whose key that is`
      const list = strict || signed ? told.problems : told.remarks
      list.push(signersFile === null ? unknown : `it is signed by ${word.key}, which is not in ${signersFile}`)
    }
  }
  if (signed && signatures.length === 0) told.problems.push('it is not signed')
  return told
}
