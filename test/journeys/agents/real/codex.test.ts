import { walksWith } from '../walk.ts'

walksWith('codex')
