import type { CheckPolicy } from '../../delivery/policy.ts'
import { fenced } from './fence.ts'
import { type Section, section } from './sections.ts'

export const checksSection = (title: string, checks: CheckPolicy[]): Section =>
  section(
    'checks',
    title,
    checks.map(({ name, run }) => `${name}:\n${fenced(run, 'sh')}`),
  )
