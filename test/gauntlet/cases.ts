import type { Case, Mechanism } from './case.ts'
import { confined } from './cases/confinement/confined.ts'
import { neighbours } from './cases/confinement/neighbours.ts'
import { processes } from './cases/confinement/processes.ts'
import { trespass } from './cases/confinement/trespass.ts'
import { exit } from './cases/exit/exit.ts'
import { honestTests } from './cases/guard/honest-tests.ts'
import { weakenedTests } from './cases/guard/weakened-tests.ts'
import { configured } from './cases/landing/configured.ts'
import { kinds } from './cases/landing/kinds.ts'
import { leftovers as leftByOthers } from './cases/landing/leftovers.ts'
import { moving } from './cases/landing/moving.ts'
import { odd } from './cases/landing/odd.ts'
import { userRepository } from './cases/landing/user-repository.ts'
import { unfinished } from './cases/limits/unfinished.ts'
import { merging } from './cases/merging/merging.ts'
import { train } from './cases/merging/train.ts'
import { checks } from './cases/results/checks.ts'
import { feedback } from './cases/results/feedback.ts'
import { leftovers as leftByChecks } from './cases/results/leftovers.ts'
import { packageFolders } from './cases/results/packages.ts'
import { python } from './cases/results/python.ts'
import { reports } from './cases/results/reports.ts'
import { answers } from './cases/review/answers.ts'
import { disagreement } from './cases/review/disagreement.ts'
import { reviewers } from './cases/review/reviewers.ts'
import { sensing } from './cases/sensing/sensing.ts'
import { deaf } from './cases/sensitivity/deaf.ts'
import { clutter } from './cases/static/clutter.ts'
import { protectedFiles } from './cases/static/protected-files.ts'
import { scope } from './cases/static/scope.ts'
import { testsFirst } from './cases/witness/tests-first.ts'
import { witness } from './cases/witness/witness.ts'

/** Those that generated cases cannot stand for: what is particular to one repository, one runner or one moment. */
export const cases: Record<Mechanism, Case[]> = {
  static: [...clutter, ...protectedFiles, ...scope],
  guard: [...weakenedTests, ...honestTests],
  sensitivity: deaf,
  witness: [...witness, ...testsFirst],
  sensing,
  exit,
  results: [...checks, ...leftByChecks, ...python, ...[...reports, ...feedback, ...packageFolders].map(unbroken)],
  confinement: [...trespass, ...neighbours, ...confined, ...processes].map(unbroken),
  review: [...reviewers, ...disagreement, ...answers].map(unbroken),
  merging: [...merging, ...train].map(unbroken),
  landing: [...userRepository, ...kinds, ...configured, ...moving, ...leftByOthers, ...odd].map(unbroken),
  limits: unfinished.map(unbroken),
}

/** What these are about does not depend on what tests notice, which takes the longest. */
function unbroken(one: Case): Case {
  return { ...one, settings: { mutation: 'off', ...one.settings } }
}
