/**
 * What a declared path takes hold of: a file, or a folder with all that is in it. Of a pattern it is the folder before
 * its first wildcard; one that begins with a wildcard is only a name.
 */
export function claimOf(path: string): string {
  const plain = path.replace(/^(?:\.\/)+/, '').replace(/\/+/g, '/')
  const folder = /^([^*?]+)\/[^/]*[*?]/.exec(plain)?.[1]
  return (folder ?? plain).replace(/\/$/, '')
}

/** All folders around it, the root left out. */
export function foldersAround(claim: string): string[] {
  const parts = claim.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
}
