import type { Change } from '../files/change.ts'
import { onlyFormChanged } from '../files/form.ts'
import type { CodeReader } from '../files/test-file.ts'
import { matches } from '../merging/three-way.ts'
import { type Breakage, breakagesIn } from './breakages.ts'
import { isProductCode } from './spots.ts'

/** A breakage of what a change made: a part of it taken back, or one of its lines broken. */
export interface Damage extends Breakage {
  kind: 'taken-back' | 'broken'
  /** The last line that it is about. */
  until: number
  /** The lines of the text before the change that it stands for; none where something was only added, or only removed. */
  was?: number[]
}

const [perFile, sidesPerFile, edgesPerFile] = [6, 3, 2]

/** What can be damaged of a change of the product, in turns by file, parts that are taken back first, single sides last. */
export function damagesOf(changes: readonly Change[], asked: { code: CodeReader; most: number }): Damage[] {
  const turns = changes.filter(isOfProduct).flatMap((change) => {
    const { path, before, after } = change
    const hunks = before === null ? [] : takenBack(path, { before, after: after! })
    const lines = new Set(before === null ? allOf(after!) : linesIn(hunks))
    const broken = (most: number, ...sides: Breakage['side'][]): Damage[] =>
      breakagesIn(path, after!, { lines, code: asked.code, most, sides }).map((one) => ({
        ...one,
        kind: 'broken',
        until: one.line,
      }))
    const damages = [...hunks.slice(0, 1), ...broken(perFile, undefined), ...hunks.slice(1, perFile)]
    const sides = [...broken(sidesPerFile, 'then', 'else'), ...broken(edgesPerFile, 'edge')]
    return [...damages, ...sides].map((damage, turn) => ({ damage, turn, fresh: Number(before === null) }))
  })
  // What was there before may have had tests: many new files do not hide it.
  const all = turns.sort((a, b) => a.turn - b.turn || a.fresh - b.fresh).map(({ damage }) => damage)
  const sides = all.filter(({ side }) => side !== undefined).slice(0, mostSides)
  return [...all.filter(({ side }) => side === undefined).slice(0, asked.most), ...sides]
}

/** What only one side of a choice does is looked at in any case: no other breakage speaks for it. */
const mostSides = 5

/** Parts of the product that were there before and are other now, of which nothing was noticed, or tried. */
export function silentParts(
  changes: readonly Change[],
  tries: readonly { damage: Pick<Damage, 'file' | 'line' | 'until' | 'kind'>; word: string }[],
): (Damage & { was: number[] })[] {
  return changes.filter(isOfProduct).flatMap(({ path, before, after }) => {
    const own = tries.filter(({ damage }) => damage.file === path)
    const parts = before === null ? [] : takenBack(path, { before, after: after! })
    return parts.flatMap((part) => {
      const inside = own.filter(({ damage }) => damage.line <= part.until && damage.until >= part.line)
      const isSilent = inside.every(({ word }) => word === 'unnoticed')
      return isSilent && part.was !== undefined && part.was.length > 0 ? [{ ...part, was: part.was }] : []
    })
  })
}

const isOfProduct = (change: Change): boolean =>
  change.after !== null && isProductCode(change.path, change.after) && !onlyFormChanged(change)

const allOf = (text: string): number[] => text.split('\n').map((_, index) => index + 1)

const linesIn = (hunks: Damage[]): number[] =>
  hunks.flatMap(({ line, until }) => Array.from({ length: until - line + 1 }, (_, by) => line + by))

/** The text as it is now, with one of its changes as it was before. */
function takenBack(file: string, { before, after }: { before: string; after: string }): Damage[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const same = matches(old, now)
  if (same === null) return []
  const hunks: Damage[] = []
  let [left, right] = [0, 0]
  for (const match of [...same, { left: old.length, right: now.length }]) {
    const isThere = now.slice(right, match.right).some((line) => line.trim() !== '')
    const changed = isThere || match.left > left
    if (changed && (match.left > left || match.right > right)) {
      const text = [...now.slice(0, right), ...old.slice(left, match.left), ...now.slice(match.right)].join('\n')
      const until = Math.max(right + 1, match.right)
      const was = Array.from({ length: isThere ? match.left - left : 0 }, (_, by) => left + 1 + by)
      hunks.push({ file, line: right + 1, until, what: 'taken back', text, kind: 'taken-back', was })
    }
    ;[left, right] = [match.left + 1, match.right + 1]
  }
  return hunks
}
