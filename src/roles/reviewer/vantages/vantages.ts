import type { Vantage } from '../../../delivery/review/review.ts'
import api from './api.md'
import correctness from './correctness.md'
import criteria from './criteria.md'
import edgeCases from './edge-cases.md'
import integrity from './integrity.md'
import migration from './migration.md'
import security from './security.md'
import tests from './tests.md'
import ui from './ui.md'

/** What a reviewer is told to look at from each vantage point. */
export const lookFrom: Record<Vantage, string> = {
  correctness,
  'edge-cases': edgeCases,
  criteria,
  security,
  tests,
  ui,
  api,
  migration,
  integrity,
}
