const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
const empty = /\p{Mn}|\p{Me}|\u200d|[\ufe00-\ufe0f]/u
const ascii = /^[\x20-\x7e]*$/

/** How many columns of a terminal a plain text takes. */
export function textWidth(text: string): number {
  if (ascii.test(text)) return text.length
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}

const widthOf = (character: string): number => (empty.test(character) ? 0 : wide.test(character) ? 2 : 1)

/** Cut to a number of columns, the last of them an ellipsis when something is missing. */
export function fitted(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text
  if (columns <= 0) return ''
  let [kept, width] = ['', 0]
  for (const character of text) {
    width += widthOf(character)
    if (width > columns - 1) break
    kept += character
  }
  return `${kept}…`
}

export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - textWidth(text)))
