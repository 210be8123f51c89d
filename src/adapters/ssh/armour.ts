// An SSH signature as a file has a frame of text around its base64.

const head = '-----BEGIN SSH SIGNATURE-----'
const foot = '-----END SSH SIGNATURE-----'

export function blobOf(text: string): string | null {
  const [start, end] = [text.indexOf(head), text.indexOf(foot)]
  return start === -1 || end < start ? null : text.slice(start + head.length, end).replace(/\s/g, '')
}

export const armoured = (blob: string): string => `${[head, ...(blob.match(/.{1,70}/g) ?? []), foot].join('\n')}\n`
