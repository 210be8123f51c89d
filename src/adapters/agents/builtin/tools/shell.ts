import { z } from 'zod'
import { plainText } from '../../../../std/text/plain-text.ts'
import { fenced } from './output.ts'
import { run } from './run.ts'
import { tool } from './tool.ts'

export const shell = tool({
  name: 'shell',
  description:
    'Runs one command line with sh in the workspace. No input; whatever it leaves running in the background is ended.',
  input: z.object({
    command: z.string().min(1),
    timeoutSeconds: z.number().positive().max(1800).default(120).describe('Then it is ended'),
  }),
  async run({ command, timeoutSeconds }, place) {
    const { code, output, timedOut } = await run(place, ['sh', '-c', command], timeoutSeconds * 1000)
    const ended = timedOut ? `ended after ${timeoutSeconds} seconds` : code === null ? 'killed' : `exit code ${code}`
    return { ok: code === 0, text: `${ended}\n${fenced(plainText(output), '')}` }
  },
})
