import { walksWith } from '../walk.ts'

walksWith('claude')
