import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { statusDescriptor } from './wrap.ts'

/** Whether the command inside began and ended; told when nobody holds the descriptor any more. */
export async function hasRun(child: ChildProcess): Promise<boolean> {
  const status = await text(child.stdio[statusDescriptor] as Readable).catch(() => '')
  return status.includes('"exit-code"')
}
