import type { Formats } from '../../proof/merging/resolution.ts'
import { toml } from './toml.ts'
import { yaml } from './yaml.ts'

/** Formats whose grammar takes a library. */
export const formats = (): Formats => ({ yaml, toml })
