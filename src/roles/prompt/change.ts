import { fenced } from './fence.ts'
import { type Section, section } from './sections.ts'

/** A change to be judged: as a patch, and where that is too long, as what it touches and where all of it is. */
export const changeSection = (patch: string): Section => ({
  ...section('change', 'The change', [fenced(patch, 'diff')]),
  summary: `It is too long to be shown here. What it touches:\n${fenced(touched(patch), 'files')}`,
})

/** One part for each file. Only what git takes for the end of a line ends one: what is in a line begins no file. */
export const filesIn = (patch: string): string[] =>
  patch.split(/(?<=^|\n)(?=diff --git )/).filter((part) => part.startsWith('diff --git '))

/** Each file with how many lines come and go. */
function touched(patch: string): string {
  const lines = filesIn(patch).map((part) => {
    const count = (sign: string) => part.split('\n').filter((line) => line.startsWith(sign)).length
    const [plus, minus] = [count('+') - count('+++ '), count('-') - count('--- ')]
    return `${pathIn(part)} +${plus} -${minus}`
  })
  const more = lines.length - mostFiles
  return [...lines.slice(0, mostFiles), ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

const mostFiles = 500

const pathIn = (part: string): string => {
  const [first = ''] = part.split('\n', 1)
  return (/^\+\+\+ (?:"?b\/)?(.*?)"?$/m.exec(part)?.[1] ?? first).replace(/^\/dev\/null$/, first)
}
