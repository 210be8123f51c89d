import { mergeJson, readJsonTree } from './json.ts'
import { type Formats, type Resolution, type Texts, withoutLineEndings } from './resolution.ts'
import { isList, mergeUnion } from './union.ts'
import { mergeWhitespace } from './whitespace.ts'

/** A file that both sides changed, by the rules for its kind. `union`: its .gitattributes ask to keep all lines. */
export function mergeFile(texts: Texts, { union, formats }: { union: boolean; formats: Formats }): Resolution {
  return withoutLineEndings(texts, (plain, endingsDiffered) => {
    if (union) return mergeUnion(plain, true)
    return byKind(plain, formats) ?? mergeWhitespace(plain, endingsDiffered)
  })
}

/** Whether a text is what its name says; true also where its name says nothing. */
export function isWellFormed(path: string, text: string, formats: Formats): boolean {
  if (json.test(path)) return readJsonTree(text.replace(/^\ufeff/, '')) !== null
  if (yaml.test(path)) return formats.yaml.parses(text)
  return toml.test(path) ? formats.toml.parses(text) : true
}

function byKind(texts: Texts, formats: Formats): Resolution | null {
  const { path } = texts
  if (isList(path)) return mergeUnion(texts, false)
  if (json.test(path)) return mergeJson(texts)
  if (yaml.test(path)) return formats.yaml.merge(texts)
  if (toml.test(path)) return formats.toml.merge(texts)
  if (!either.test(path)) return null
  const result = mergeJson(texts)
  return result.status === 'merged' ? result : formats.yaml.merge(texts)
}

const json = /\.(?:json|jsonc|json5|webmanifest|code-workspace|swcrc)$|(?:^|\/)composer\.lock$/i
const toml = /\.toml$|(?:^|\/)(?:Cargo|poetry|uv)\.lock$/i
const yaml = /\.ya?ml$/i
/** Written as JSON by some and as YAML by others. */
const either = /(?:^|\/)\.(?:babelrc|eslintrc|prettierrc|stylelintrc|lintstagedrc|nycrc|mocharc)$/
