import { randomBytes } from 'node:crypto'
import { plainText } from '../../std/text/plain-text.ts'

const digits = '0123456789abcdefghjkmnpqrstvwxyz'

/** The requirement's first words, to be recognised by, and enough chance never to meet another. */
export function freshDeliveryId(requirement: string): string {
  const words = plainText(requirement.slice(0, 200))
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9\s]+/g, '')
    .split(/\s+/)
    .filter((word) => word !== '')
  let slug = ''
  for (const word of words) {
    if (slug.length + word.length > 24) break
    slug += `${word}-`
  }
  return `${slug}${[...randomBytes(10)].map((byte) => digits[byte % 32]).join('')}`
}
