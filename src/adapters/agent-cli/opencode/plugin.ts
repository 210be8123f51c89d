/**
 * What opencode loads into itself, because its stream is silent about what we have to know: that it waits to try again
 * (it does so for minutes, or until a limit ends), that a tool has begun, what its sub-agents have used, that it is idle.
 */
export const plugin = `let status = null
const ask = globalThis.fetch
globalThis.fetch = async (...given) => {
  status = null
  const answer = await ask(...given)
  if (!answer.ok) status = answer.status
  return answer
}

const tell = (type, told) => process.stdout.write(\`\${JSON.stringify({ type: \`ropewalk_\${type}\`, ...told })}\\n\`)

export const Ropewalk = async () => ({
  event: async ({ event: { type, properties } }) => {
    const { sessionID, part, status: now } = properties ?? {}
    if (type === 'message.part.updated' && part?.type === 'step-finish') tell('step', { sessionID: part.sessionID, part })
    if (type !== 'session.status') return
    const wait = now.type === 'retry' ? { attempt: now.attempt, message: now.message, status, next: now.next, delayMs: now.next - Date.now() } : {}
    tell(now.type, { sessionID, ...wait })
  },
  'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => tell('tool', { sessionID, callID, tool, args }),
})
`
