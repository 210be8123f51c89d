import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TerminalError } from '../../ports/errors.ts'
import { type Clone, exists } from './clone.ts'

/** Settings and attributes put into our clone could show a check other files than those that are committed. */
export async function requireOwnSettings({ gitDir }: Clone): Promise<void> {
  const [text, attributes] = await Promise.all([
    readFile(join(gitDir, 'config'), 'utf8'),
    exists(join(gitDir, 'info/attributes')),
  ])
  const foreign = attributes ? 'info/attributes' : foreignSection(text)
  if (foreign !== null)
    throw new TerminalError(
      `somebody has changed our clone: ${foreign} in ${gitDir} is not from us`,
      'Find out which agent did this, take it out of there, then retry the story.',
    )
}

/** The first section that git did not write when the clone was made. */
function foreignSection(config: string): string | null {
  const lines = config.split('\n')
  const section = lines.find((line) => /^\s*\[/.test(line) && !/^\[(?:core|gc|extensions)\]\s*$/.test(line))
  const key = lines.find((line) => /^\s*(?:attributesfile|sparsecheckout|worktree)\b/i.test(line))
  return (section ?? key)?.trim() ?? null
}
