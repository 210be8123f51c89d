import { walksWith } from './walk.ts'

walksWith('builtin')
