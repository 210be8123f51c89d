/** Why an address was not read, in words; an error's own message may quote what a stranger sent. */
export function whyOf(error: unknown): string {
  const { code = '', name = '' } = error as { code?: string; name?: string }
  if (known[code] !== undefined) return known[code]
  if (/CERT|SIGNATURE|ISSUER|ALTNAME/.test(code)) return `its certificate is not trusted (${code})`
  if (/^(?:EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return `no secure connection came about (${code})`
  if (code.startsWith('HPE_')) return `the answer is no HTTP (${code})`
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR'))
    return `the answer cannot be unpacked (${code})`
  return `it could not be read (${code || name || 'unknown'})`
}

const known: Record<string, string> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'its host could not be looked up just now',
  ECONNREFUSED: 'its host refuses the connection',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  ERR_STREAM_PREMATURE_CLOSE: 'the connection broke off',
  Z_BUF_ERROR: 'the answer broke off',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its host',
  ETIMEDOUT: 'its host does not answer',
  HPE_HEADER_OVERFLOW: 'the head of the answer is too long',
}
