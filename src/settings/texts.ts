import { readYaml } from './read-yaml.ts'

/** Every text that a settings file has as a value; none when it is not well-formed. */
export function textsIn(file: string): string[] {
  const read = readYaml(file, 'ropewalk.yaml')
  return read.ok ? textsOf(read.source.value) : []
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsOf) : []
}
