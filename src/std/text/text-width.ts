import measured from 'fast-string-truncated-width'

/** How many columns of a terminal a plain text takes. */
export const textWidth = (text: string): number => measured(text).width

/** Cut to a number of columns, the last of them an ellipsis when something is missing. */
export function fitted(text: string, columns: number): string {
  const { truncated, index } = measured(text, { limit: columns, ellipsis: '…', ellipsisWidth: 1 })
  return truncated ? `${text.slice(0, index)}${columns > 0 ? '…' : ''}` : text
}

export const padded = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - textWidth(text)))
