import type { Case } from './case.ts'
import { checks } from './cases/checks.ts'
import { clutter } from './cases/clutter.ts'
import { honestTests } from './cases/honest-tests.ts'
import { merging } from './cases/merging.ts'
import { processes } from './cases/processes.ts'
import { protectedFiles } from './cases/protected-files.ts'
import { scope } from './cases/scope.ts'
import { train } from './cases/train.ts'
import { trespass } from './cases/trespass.ts'
import { unfinished } from './cases/unfinished.ts'
import { userRepository } from './cases/user-repository.ts'
import { weakenedTests } from './cases/weakened-tests.ts'
import { witness } from './cases/witness.ts'

export const cases: Case[] = [
  ...unfinished,
  ...trespass,
  ...weakenedTests,
  ...honestTests,
  ...protectedFiles,
  ...clutter,
  ...scope,
  ...witness,
  ...processes,
  ...checks,
  ...merging,
  ...train,
  ...userRepository,
]
