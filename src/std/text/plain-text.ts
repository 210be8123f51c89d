// Text from agents and repositories may carry anything; a terminal obeys what it is sent.

const escapes =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P^_X][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|[ -/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]/g
// The last are letters without a shape: nobody sees them, and models read them.
const controls =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e01ef}]/gu

/** Without escape sequences, control characters and what reorders or hides text. Line breaks and tabs stay. */
export function plainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(escapes, '').replace(controls, '')
}

/** On one line, cut to a number of characters. */
export function oneLine(text: string, longest = 400): string {
  const line = plainText(text.length > longest * 8 ? text.slice(0, longest * 8) : text)
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
