import type { Finding } from '../../../delivery/judging/finding.ts'
import { silencingLines, withMistakes } from '../../../proof/breakage/rewritten.ts'
import type { Change } from '../../../proof/files/change.ts'
import { subjectOf } from '../../../proof/witness/subject.ts'
import { coversAny } from '../../../std/glob.ts'
import { hashOf } from '../../../std/hash.ts'
import { asFinding } from '../../as-finding.ts'
import { runFiles, type Wanted, wholeCheck } from '../single-files.ts'
import type { Probing } from './noticed.ts'

const [mostFiles, mostTold] = [2, 3]

/**
 * A check that runs no test looks at the code itself, so it is the code that could silence it. Where a change asks for
 * that, or touches settings, mistakes are put into its files: those that the check finds on the base it has to find here.
 */
export async function silencedFindings(probing: Probing): Promise<Finding[]> {
  const { asking, changes, input } = probing
  if (asking.tests !== null || asking.check.parser !== 'exit-code') return []
  const mayChange = input.story?.spec.mayChange ?? []
  const open = changes.filter(({ path, after }) => after !== null && !coversAny(mayChange, path))
  const silencing = open.filter((change) => silencingLines(change).length > 0)
  const findings: Finding[] = []
  for (const path of filesToTry(probing, { open, silencing }).slice(0, mostFiles)) {
    const isNew = !probing.then.texts.has(path)
    if (await isSilenced(probing, path)) findings.push(silenced(asking.check.name, path, isNew))
  }
  const lines = silencing.flatMap((change) => silencingLines(change).map((line) => ({ ...line, path: change.path })))
  return [
    ...findings,
    ...(findings.length > 0 ? [] : lines.slice(0, mostTold).map((line) => lookedAway(asking.check.name, line))),
  ]
}

/** Those that ask for it; where only settings are touched, one that is there anyhow. */
function filesToTry(probing: Probing, { open, silencing }: { open: Change[]; silencing: Change[] }): string[] {
  if (silencing.length > 0) return silencing.map(({ path }) => path)
  const { sources, support } = subjectOf(open)
  const isSetting = [...sources, ...support].some(({ path }) => withMistakes(path, '') === null)
  if (!isSetting) return []
  const both = [...probing.then.texts.keys()].filter(
    (path) => probing.now.texts.has(path) && withMistakes(path, '') !== null,
  )
  const changed = both.filter((path) => probing.changed.includes(path))
  return changed.length > 0 ? changed : both.slice(0, 1)
}

async function isSilenced(probing: Probing, path: string): Promise<boolean> {
  const { base, commit } = probing.step
  const old = probing.then.texts.get(path)
  const onBase = { commit: base, path, text: old ?? null, name: 'base' }
  // Where it is known from another story that it finds none on the base, what it finds here says nothing.
  if (old !== undefined && (await finds(probing, { ...onBase, knownOnly: true })) === false) return false
  const onCommit = { commit, path, text: probing.now.texts.get(path)!, name: 'commit' }
  if ((await finds(probing, onCommit)) !== false) return false
  const whole = { ...onBase, text: null, name: 'whole' }
  if (old !== undefined) return (await finds(probing, onBase)) === true && (await finds(probing, whole)) === false
  // A new file beside one in which mistakes are found.
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const end = path.slice(path.lastIndexOf('.'))
  const beside = [...probing.then.texts.keys()].find(
    (one) =>
      one.startsWith(folder) && one.endsWith(end) && probing.now.texts.has(one) && withMistakes(one, '') !== null,
  )
  if (beside === undefined) return false
  const text = probing.now.texts.get(beside)!
  return (await finds(probing, { commit, path: beside, text, name: 'beside' })) === true
}

type Look = Pick<Wanted, 'commit' | 'name' | 'knownOnly'> & { path: string; text: string | null }

/** Whether the check fails with mistakes in this file; null: nobody can say. */
async function finds(probing: Probing, { path, text, ...look }: Look): Promise<boolean | null> {
  const { repository } = probing
  const bad = text === null ? null : withMistakes(path, text)
  const made =
    bad === null
      ? { tree: await repository.treeOf(look.commit) }
      : await repository.variant(look.commit, [{ path, text: bad }])
  const name = `-mistakes-${look.name}-${hashOf(path).slice(0, 8)}`
  const results = await runFiles(probing, { ...look, ...made, name, tests: [wholeCheck] })
  const status = results.get(wholeCheck)?.status
  if (status === 'pass') return false
  return status === 'test-failure' || status === 'build-error' ? true : null
}

const silenced = (check: string, file: string, isNew: boolean): Finding =>
  asFinding({
    ...{ source: 'sensitivity', rule: 'check-silenced', severity: isNew ? 'suggestion' : 'blocking', file, line: 1 },
    key: ['sensitivity', 'check-silenced', check, file],
    message: isNew
      ? `${check} finds no mistake in ${file}, which is new, although it finds the same in files beside it`
      : `${check} found mistakes in ${file} before the change, and finds the same ones no more`,
    evidence:
      'Something in the change keeps the check from looking at this file: a comment, or a setting. Mend what it finds instead.',
  })

const lookedAway = (check: string, { path, line, text }: { path: string; line: number; text: string }): Finding =>
  asFinding({
    ...{ source: 'sensitivity', rule: 'line-silenced', severity: 'suggestion', file: path, line },
    message: `${path}:${line} asks ${check} to look away`,
    evidence: `+ ${text.trim().slice(0, 200)}`,
    key: ['sensitivity', 'line-silenced', path, text.trim()],
  })
