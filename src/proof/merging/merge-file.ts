import { mergeJson } from './json/json.ts'
import { withoutLineEndings } from './line-endings.ts'
import { declined, type Resolution, type Texts } from './resolution.ts'
import { mergeToml } from './structure/toml.ts'
import { mergeYaml } from './structure/yaml.ts'
import { isList, mergeUnion } from './union.ts'
import { mergeWhitespace } from './whitespace.ts'

/** A file that both sides changed, by the rules for its kind. `union`: its .gitattributes ask to keep all lines. */
export function mergeFile(texts: Texts, union: boolean): Resolution {
  return withoutLineEndings(texts, (plain) => {
    if (union) return mergeUnion(plain, true)
    const structured = byKind(plain)
    if (structured?.status === 'merged') return structured
    const words = mergeWhitespace(plain)
    return words.status === 'merged' ? words : (structured ?? declined(words.because))
  })
}

function byKind(texts: Texts): Resolution | null {
  const { path } = texts
  if (isList(path)) return mergeUnion(texts, false)
  if (json.test(path)) return mergeJson(texts)
  if (yaml.test(path)) return mergeYaml(texts)
  if (/\.toml$/i.test(path)) return mergeToml(texts)
  if (!either.test(path)) return null
  const result = mergeJson(texts)
  return result.status === 'merged' ? result : mergeYaml(texts)
}

const json = /\.(?:json|jsonc|json5|webmanifest|code-workspace|swcrc)$/i
const yaml = /\.ya?ml$/i
/** Written as JSON by some and as YAML by others. */
const either = /(?:^|\/)\.(?:babelrc|eslintrc|prettierrc|stylelintrc|lintstagedrc|nycrc|mocharc)$/
