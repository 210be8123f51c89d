import { lintSource } from '@secretlint/core'
import { creator } from '@secretlint/secretlint-rule-preset-recommend'
import type { SecretScanner } from '../../proof/inspection/secrets.ts'

const prefix = '@secretlint/secretlint-rule-'
const rules = [{ id: `${prefix}preset-recommend`, rule: creator, options: {} }]

/** What the known vendors' keys look like. */
export const scanSecrets: SecretScanner = async (content) => {
  const source = { filePath: 'added.txt', content, ext: '.txt', contentType: 'text' as const }
  const { messages } = await lintSource({ source, options: { config: { rules }, maskSecrets: false } })
  return messages.map(({ ruleId, range: [from, to], loc }) => ({
    line: loc.start.line,
    kind: ruleId.replace(prefix, ''),
    value: content.slice(from, to),
  }))
}
