/** What of a turn's events tells how often its model was asked. */
export interface TurnSign {
  type: string
  /** Of a tool that is begun or ended. */
  id?: string
}

/**
 * How often an agent has asked its model: as it tells; where it does not, as can be seen: it says or begins something
 * after all tools that it had begun have ended.
 */
export function turnCounter(): (event: TurnSign) => number {
  const running = new Set<string>()
  let told = 0
  let seen = 0
  let isGoing = false
  return (event) => {
    if (event.type === 'model-asked') told += 1
    if (event.type === 'text' || event.type === 'thinking' || event.type === 'tool-started') {
      if (!isGoing) seen += 1
      isGoing = true
    }
    if (event.type === 'tool-started') running.add(event.id ?? '')
    if (event.type === 'tool-ended') {
      running.delete(event.id ?? '')
      isGoing = running.size > 0
    }
    return told > 0 ? told : seen
  }
}
