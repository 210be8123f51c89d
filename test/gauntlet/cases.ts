import type { Case } from './case.ts'
import { checks } from './cases/checks.ts'
import { clutter } from './cases/clutter.ts'
import { confined } from './cases/confined.ts'
import { honestTests } from './cases/honest-tests.ts'
import { merging } from './cases/merging.ts'
import { neighbours } from './cases/neighbours.ts'
import { processes } from './cases/processes.ts'
import { protectedFiles } from './cases/protected-files.ts'
import { testsFirst } from './cases/proving/tests-first.ts'
import { witness } from './cases/proving/witness.ts'
import { feedback } from './cases/results/feedback.ts'
import { leftovers as leftByChecks } from './cases/results/leftovers.ts'
import { packageFolders } from './cases/results/packages.ts'
import { python } from './cases/results/python.ts'
import { reports } from './cases/results/reports.ts'
import { answers } from './cases/review/answers.ts'
import { disagreement } from './cases/review/disagreement.ts'
import { reviewers } from './cases/review/reviewers.ts'
import { scope } from './cases/scope.ts'
import { train } from './cases/train.ts'
import { trespass } from './cases/trespass.ts'
import { unfinished } from './cases/unfinished.ts'
import { userRepository } from './cases/user-repository.ts'
import { weakenedTests } from './cases/weakened-tests.ts'

import { configured } from './cases/worlds/configured.ts'
import { kinds } from './cases/worlds/kinds.ts'
import { leftovers as leftByOthers } from './cases/worlds/leftovers.ts'
import { moving } from './cases/worlds/moving.ts'
import { odd } from './cases/worlds/odd.ts'

export const cases: Case[] = [
  ...unfinished,
  ...trespass,
  ...neighbours,
  ...confined,
  ...weakenedTests,
  ...honestTests,
  ...protectedFiles,
  ...clutter,
  ...scope,
  ...witness,
  ...testsFirst,
  ...reviewers,
  ...disagreement,
  ...answers,
  ...processes,
  ...checks,
  ...reports,
  ...leftByChecks,
  ...feedback,
  ...packageFolders,
  ...python,
  ...merging,
  ...train,
  ...userRepository,
  ...kinds,
  ...configured,
  ...moving,
  ...leftByOthers,
  ...odd,
]
