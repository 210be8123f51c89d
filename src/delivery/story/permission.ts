/** What the coder is told of an answer. */
export const answerWords = (permission: string, allow: boolean): string => {
  const kind = `${permission}${permissionKind(permission) === permission ? '' : ` (and all else that is \`${permissionKind(permission)}\`)`}`
  const answer = allow
    ? 'It is allowed. Go on.'
    : 'It is not allowed in this story. Do not ask again; go on without it.'
  return `It was asked whether you may do this: ${kind}\n${answer}`
}

/** Whether the answer to one call holds for another. */
export const isOfKind = (one: string, other: string): boolean =>
  one === other || permissionKind(one) === permissionKind(other)

/**
 * The tool, and how the call begins: `execute: npm publish --tag next` is of the kind `execute: npm publish`. A line of
 * several commands is a kind of its own.
 */
export function permissionKind(permission: string): string {
  const line = permission.replace(inShell, '$1')
  if (isSeveral(line)) return permission
  const [tool = '', program, ...words] = line.split(/\s+/).map(origin)
  const first = words.find((word) => !word.startsWith('-'))
  return [tool, program, first].filter((word) => word !== undefined).join(' ')
}

export const isSeveral = (line: string): boolean => /[;&|`\n]|\$\(/.test(line)

/** A shell that does nothing but run the line. */
const inShell = /^(execute: )(?:\S*\/)?(?:ba|da|z)?sh -\w*c ['"]?/

/** All of one host are alike. */
const origin = (word: string): string => word.replace(/^(https?:\/\/[^/?#]+).*/, '$1')
