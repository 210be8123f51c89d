/** Signatures with the user's ssh key, in the namespace `ropewalk`. Never asks anybody: a locked key is a problem. */
export interface Signatures {
  /** Why this key cannot sign now; null: it can. */
  problemWith(key: string): Promise<string | null>
  /** Throws TerminalError when the key is gone or locked. */
  sign(key: string, text: string): Promise<Signature>
  verify(request: { text: string; signature: Signature; signersFile: string | null }): Promise<SignatureWord>
}

export interface Signature {
  /** The key's fingerprint. */
  keyid: string
  /** Base64 of the signature. */
  sig: string
}

export type SignatureWord =
  /** `signer`: who the key belongs to by the signers file. */
  | { status: 'good'; key: string; signer: string }
  /** It fits, but nobody has said whose key that is. */
  | { status: 'unknown-key'; key: string }
  | { status: 'bad'; problem: string }
