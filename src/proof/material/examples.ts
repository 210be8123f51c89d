// Documentation that is executed: the examples of Python and Rust stand beside the code and are tests.

interface Examples {
  /** What they are about: gone with it, they are gone rightly. */
  owner: string
  text: string
}

/** The new code, and at its end the examples that were there before and are there no longer, or otherwise. */
export function withFormerExamples(path: string, before: string, after: string): string {
  const [read, write] = path.endsWith('.py') ? [pythonExamples, pythonItem] : [rustExamples, rustItem]
  const present = read(after)
  const lost = read(before).filter(
    ({ owner, text }) => isThere(owner, after) && !present.some((one) => one.owner === owner && one.text === text),
  )
  return lost.length === 0 ? after : `${after.trimEnd()}\n${lost.map(write).join('')}`
}

const isThere = (owner: string, text: string): boolean => owner === '' || new RegExp(`\\b${owner}\\b`).test(text)

/** Those of one docstring belong together: the later ones use what the earlier ones made. */
function pythonExamples(text: string): Examples[] {
  const found = new Map<string, string>()
  let [owner, indent]: [string, string | null] = ['', null]
  for (const line of text.split('\n')) {
    owner = /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/.exec(line)?.[1] ?? owner
    indent = /^(\s*)>>> /.exec(line)?.[1] ?? (line.trim() === '' || /"""|'''/.test(line) ? null : indent)
    const ended = indent === null && found.get(owner)?.endsWith('\n\n') === false
    if (indent !== null) found.set(owner, `${found.get(owner) ?? ''}${line.slice(indent.length)}\n`)
    else if (ended) found.set(owner, `${found.get(owner)}\n`)
  }
  return [...found].flatMap(([of, all]) => (/\\|"""/.test(all) ? [] : [{ owner: of, text: all.trimEnd() }]))
}

const pythonItem = ({ owner, text }: Examples, index: number): string =>
  `\n\ndef _${owner}_as_it_was_${index + 1}():\n    """\n${text.replace(/^(?=.)/gm, '    ')}\n    """\n`

const fenced = /^[ \t]*\/\/[/!] ```[^\n]*\n(?:[ \t]*\/\/[/!][^\n]*\n)*?[ \t]*\/\/[/!] ```[ \t]*\n/gm

function rustExamples(text: string): Examples[] {
  return [...text.matchAll(fenced)].map((found) => ({
    owner: item.exec(text.slice(found.index + found[0].length))?.[1] ?? '',
    text: found[0].replace(/^[ \t]*\/\/./gm, '///'),
  }))
}

/** The documented item; what stands before all others documents the crate. */
const item =
  /^(?:[ \t]*\/\/\/[^\n]*\n|[ \t]*#\[[^\n]*\n)*[^\n]*?\b(?:fn|struct|enum|trait|mod|type|const|static|macro_rules!)\s+(\w+)/

const rustItem = ({ owner, text }: Examples, index: number): string =>
  `\n${text}#[allow(dead_code)]\nfn _${owner}_as_it_was_${index + 1}() {}\n`
