/** The web addresses in a text, each once, as they are written there. */
export function addressesIn(text: string): string[] {
  const found = [...text.matchAll(/\bhttps?:\/\/[^\s<>"'`[\]|{}\\^。，、；：！？）】」』》]+/gi)]
  return [...new Set(found.map(([address]) => withoutEnd(address)))].filter((address) => /:\/\/\w/.test(address))
}

/** A sentence or a bracket around it goes on behind it. */
function withoutEnd(address: string): string {
  let closed = address.split(')').length - address.split('(').length
  let end = address.length
  for (; end > 0; end -= 1) {
    const last = address[end - 1]!
    if (last === ')' && closed > 0) closed -= 1
    else if (!/[.,;:!?*_~]/.test(last)) break
  }
  return address.slice(0, end)
}
