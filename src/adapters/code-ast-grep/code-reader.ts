import type { CodeReader, Grammar, NodeSpan } from '../../proof/files/test-file.ts'

type AstGrep = Pick<typeof import('@ast-grep/napi'), 'parse' | 'registerDynamicLanguage'>
type Registration = Parameters<AstGrep['registerDynamicLanguage']>[0][string]

/** What is loaded; replaceable, because a machine without the native parts has to be shown too. */
export interface Sources {
  astGrep(): Promise<AstGrep>
  grammars: Record<'python' | 'go' | 'rust', () => Promise<{ default: unknown }>>
}

const installed: Sources = {
  astGrep: () => import('@ast-grep/napi'),
  grammars: {
    python: () => import('@ast-grep/lang-python'),
    go: () => import('@ast-grep/lang-go'),
    rust: () => import('@ast-grep/lang-rust'),
  },
}

/** Loads the native parts, as far as they are there. A part that is missing is a concern, never a failure. */
export async function loadCodeReader(sources: Sources = installed): Promise<CodeReader> {
  const concerns: string[] = []
  const astGrep = await sources.astGrep().catch((error: unknown) => missing(concerns, '@ast-grep/napi', error))
  if (astGrep === null) return { nodes: () => null, concerns }
  const known = new Set<Grammar>(['javascript', 'typescript', 'tsx'])
  const languages: Record<string, Registration> = {}
  for (const [grammar, load] of Object.entries(sources.grammars) as [Grammar, () => Promise<{ default: unknown }>][]) {
    const loaded = await load().catch((error: unknown) => missing(concerns, `@ast-grep/lang-${grammar}`, error))
    if (loaded === null) continue
    languages[grammar] = loaded.default as Registration
    known.add(grammar)
  }
  register(astGrep, languages)
  return {
    nodes: (grammar, text, kinds) => (known.has(grammar) ? nodesOf(astGrep, { grammar, text, kinds }) : null),
    concerns,
  }
}

function missing(concerns: string[], name: string, error: unknown): null {
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
  concerns.push(`${name} could not be loaded, so tests were compared by lines instead of by structure (${reason})`)
  return null
}

let registered = false

/** The library takes languages once in a process. */
function register(astGrep: AstGrep, languages: Record<string, Registration>): void {
  if (registered || Object.keys(languages).length === 0) return
  astGrep.registerDynamicLanguage(languages)
  registered = true
}

const names: Record<Grammar, string> = {
  javascript: 'JavaScript',
  typescript: 'TypeScript',
  tsx: 'Tsx',
  python: 'python',
  go: 'go',
  rust: 'rust',
}

function nodesOf({ parse }: AstGrep, code: { grammar: Grammar; text: string; kinds: readonly string[] }): NodeSpan[] {
  const root = parse(names[code.grammar], code.text).root()
  return root.findAll({ rule: { any: code.kinds.map((kind) => ({ kind })) } }).map((node) => {
    const { start, end } = node.range()
    return { kind: String(node.kind()), start: start.index, end: end.index }
  })
}
