import { canonical } from '../../../std/hash.ts'
import { parseJson } from '../script-closure.ts'

const tightening =
  'strict noImplicitAny strictNullChecks strictFunctionTypes strictBindCallApply strictPropertyInitialization noImplicitThis alwaysStrict useUnknownInCatchVariables noUnusedLocals noUnusedParameters noImplicitReturns noFallthroughCasesInSwitch noUncheckedIndexedAccess exactOptionalPropertyTypes noImplicitOverride noPropertyAccessFromIndexSignature checkJs noEmitOnError forceConsistentCasingInFileNames'.split(
    ' ',
  )
const loosening =
  'skipLibCheck skipDefaultLibCheck allowUnreachableCode allowUnusedLabels noCheck suppressImplicitAnyIndexErrors'.split(
    ' ',
  )

/** How a tsconfig came to check less. Checking more, or building differently, is free. */
export function typeSettingsChange(before: string, after: string): string[] {
  const had = parseJson(withoutComments(before)) as Settings | null
  const has = parseJson(withoutComments(after)) as Settings | null
  if (had === null) return []
  if (has === null) return ['these type settings cannot be read any more']
  const [old, now] = [had.compilerOptions ?? {}, has.compilerOptions ?? {}]
  const impliedByStrict = (key: string): boolean => now.strict === true && now[key] === undefined && key !== 'strict'
  const weaker = [
    ...tightening.filter(
      (key) => old[key] === true && now[key] !== true && !(isStrictFamily(key) && impliedByStrict(key)),
    ),
    ...tightening.filter(
      (key) => old[key] === undefined && old.strict === true && isStrictFamily(key) && now[key] === false,
    ),
    ...loosening.filter((key) => old[key] !== true && now[key] === true),
  ]
  const lost = (had.include ?? []).filter((one) => has.include !== undefined && !has.include.includes(one))
  const hidden = (has.exclude ?? []).filter((one) => !(had.exclude ?? []).includes(one))
  return [
    ...weaker.map((key) => `the type setting "${key}" checks less than before`),
    ...[...lost, ...hidden].map((one) => `"${one}" is not type-checked any more`),
    ...(canonical(had.extends) === canonical(has.extends) ? [] : ['its type settings come from elsewhere now']),
  ]
}

interface Settings {
  compilerOptions?: Record<string, unknown>
  include?: string[]
  exclude?: string[]
  extends?: unknown
}

const isStrictFamily = (key: string): boolean => tightening.indexOf(key) > 0 && tightening.indexOf(key) <= 8

/** tsconfig allows comments and trailing commas. */
function withoutComments(text: string): string {
  return text
    .replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, quoted?: string) => quoted ?? '')
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (_, quoted?: string) => quoted ?? '')
}
