import type { CommitId, TreeId } from '../../delivery/ids.ts'
import type { CommitMessage, Composed, ConflictFile } from '../../ports/repository.ts'
import { type Clone, inClone } from './clone.ts'
import { commitTree, treeOf } from './commit.ts'
import { bulkTimeoutMs } from './run.ts'

interface Request {
  onto: CommitId
  base: CommitId
  commit: CommitId
  message: CommitMessage
}

/** Three-way with exactly `base` in the middle, whatever the history of the two sides is. */
export async function compose(clone: Clone, request: Request): Promise<Composed> {
  const { onto, message } = request
  const trees = await Promise.all([request.base, onto, request.commit].map((commit) => treeOf(clone, commit)))
  const [base, ours, theirs] = trees as [TreeId, TreeId, TreeId]
  const merged = base === ours ? { tree: theirs, files: [] } : await mergeTrees(clone, { ...request, ours, theirs })
  const commit = await commitTree(clone, { tree: merged.tree, parents: [onto], message })
  if (merged.files.length > 0) return { status: 'conflict', commit, files: merged.files }
  return { status: 'composed', commit, tree: merged.tree }
}

/** This git finds the merge base by itself, so both sides get a commit of their own with `base` as the only parent. */
async function mergeTrees(
  clone: Clone,
  sides: Request & { ours: TreeId; theirs: TreeId },
): Promise<{ tree: TreeId; files: ConflictFile[] }> {
  const side = (tree: TreeId, subject: string): Promise<CommitId> =>
    commitTree(clone, {
      tree,
      parents: [sides.base],
      message: { subject, body: '', trailers: [], at: sides.message.at },
    })
  const pair = await Promise.all([side(sides.ours, 'the line'), side(sides.theirs, 'the story')])
  const args = ['merge-tree', '--write-tree', '--messages', '-z', ...pair]
  const output = await inClone(clone, args, { accept: [1], timeoutMs: bulkTimeoutMs })
  const items = output.stdout.toString('utf8').split('\0')
  return { tree: items[0]!.trim(), files: output.code === 0 ? [] : conflictsOf(items.slice(1)) }
}

interface Stage {
  mode: string
  object: string
  stage: number
}

/** `mode object stage TAB path` for each stage, an empty item, then the messages. */
function conflictsOf(items: string[]): ConflictFile[] {
  const end = items.indexOf('')
  const stages = new Map<string, Stage[]>()
  for (const item of items.slice(0, end)) {
    const [, mode, object, stage, path] = /^(\d+) ([0-9a-f]+) (\d)\t(.*)$/s.exec(item)!
    stages.set(path!, [...(stages.get(path!) ?? []), { mode: mode!, object: object!, stage: Number(stage) }])
  }
  const said = messagesOf(items.slice(end + 1))
  return [...stages].map(([path, entries]) => {
    const notes = said.filter((note) => note.paths.includes(path))
    return {
      path,
      kind: kindOf(
        notes.map((note) => note.type),
        entries,
      ),
      detail: notes.map((note) => note.text).join('\n'),
    }
  })
}

/** How many paths, the paths, the kind of message, its text. */
function messagesOf(items: string[]): { paths: string[]; type: string; text: string }[] {
  const messages = []
  for (let i = 0; i + 2 < items.length; ) {
    const count = Number(items[i])
    const paths = items.slice(i + 1, i + 1 + count)
    const type = items[i + 1 + count] ?? ''
    if (type.startsWith('CONFLICT')) messages.push({ paths, type, text: (items[i + 2 + count] ?? '').trim() })
    i += count + 3
  }
  return messages
}

function kindOf(types: string[], stages: Stage[]): ConflictFile['kind'] {
  const has = (pattern: RegExp): boolean => types.some((type) => pattern.test(type))
  if (has(/binary/)) return 'binary'
  if (has(/modify\/delete|rename\/delete/)) return 'delete'
  if (has(/rename/)) return 'rename'
  if (has(/distinct/) || onlyModesDiffer(stages)) return 'mode'
  return has(/contents|add\/add/) ? 'content' : 'other'
}

function onlyModesDiffer(stages: Stage[]): boolean {
  const sides = stages.filter(({ stage }) => stage > 1)
  return sides.length === 2 && sides[0]!.object === sides[1]!.object && sides[0]!.mode !== sides[1]!.mode
}
