/** Trailers of ours in a commit message: of its last paragraph, and only when it is not the first. */
export function trailersIn(message: string): Record<string, string> {
  const paragraphs = message.trim().split(/\n\s*\n/)
  const last = paragraphs.length < 2 ? '' : paragraphs.at(-1)!
  const found = last.split('\n').flatMap((line) => {
    const match = /^Ropewalk-(Delivery|Story|Chain):\s*(.*\S)\s*$/.exec(line)
    return match === null ? [] : [[match[1]!.toLowerCase(), match[2]!] as const]
  })
  return Object.fromEntries(found)
}
