import type { DeskWorld, Visit, Visitor } from './world.ts'

/**
 * All that a face may do: ask for views, state intents, and have long work done. Main makes it for each visitor, and it
 * is the same whatever the face is. What an operation needs is loaded when somebody first asks for it.
 */
export type Desk = ReturnType<typeof openDesk>

export function openDesk(world: DeskWorld, visitor: Visitor) {
  const visit: Visit = { world, ...visitor }
  /** An operation of a file, at this desk. */
  const at =
    <Asked extends unknown[], Answer>(load: () => Promise<(visit: Visit, ...asked: Asked) => Promise<Answer>>) =>
    async (...asked: Asked): Promise<Answer> =>
      await (await load())(visit, ...asked)
  const views = {
    status: at(async () => (await import('./looks/delivery.ts')).status),
    deliveries: at(async () => (await import('./looks/delivery.ts')).listDeliveries),
    cost: at(async () => (await import('./looks/delivery.ts')).cost),
    plan: at(async () => (await import('./looks/delivery.ts')).plan),
    prompt: at(async () => (await import('./looks/delivery.ts')).prompt),
    inbox: at(async () => (await import('./looks/delivery.ts')).inbox),
    why: at(async () => (await import('./looks/story.ts')).why),
    diff: at(async () => (await import('./looks/story.ts')).showDiff),
    report: at(async () => (await import('./looks/story.ts')).reportOn),
    events: at(async () => (await import('./looks/log.ts')).events),
    verifyLog: at(async () => (await import('./looks/log.ts')).verifyLog),
    replay: at(async () => (await import('./looks/log.ts')).replayDelivery),
    watch: at(async () => (await import('./looks/log.ts')).watchDelivery),
    pulses: at(async () => (await import('./deliver.ts')).pulses),
    review: at(async () => (await import('./work/review.ts')).reviewOf),
    learned: at(async () => (await import('./work/learn.ts')).learned),
    config: at(async () => (await import('./settings.ts')).config),
    agents: at(async () => (await import('./settings.ts')).agents),
  }
  const intents = {
    request: at(async () => (await import('./deliver.ts')).request),
    requestReview: at(async () => (await import('./work/review.ts')).requestReview),
    decide: at(async () => (await import('./intents.ts')).decideWish),
    resume: at(async () => (await import('./deliver.ts')).resume),
    stopAll: at(async () => (await import('./deliver.ts')).stopDeliveries),
    adopt: at(async () => (await import('./travel/adopt.ts')).adoptDelivery),
    unlock: at(async () => (await import('./travel/unlock.ts')).unlock),
  }
  const work = {
    drive: at(async () => (await import('./deliver.ts')).driveDelivery),
    rehearseRequest: at(async () => (await import('./deliver.ts')).rehearseRequest),
    estimate: at(async () => (await import('./work/estimate.ts')).estimate),
    learn: at(async () => (await import('./work/learn.ts')).learn),
    verify: at(async () => (await import('./proofs/verify.ts')).verifyCommits),
    regress: at(async () => (await import('./proofs/regress.ts')).regress),
    rehearse: at(async () => (await import('./proofs/rehearse.ts')).rehearse),
    doctor: at(async () => (await import('./doctor.ts')).doctor),
    gc: at(async () => (await import('./gc/gc.ts')).gc),
    salvage: at(async () => (await import('./travel/unlock.ts')).salvageLog),
    exportDelivery: at(async () => (await import('./travel/import.ts')).exportDelivery),
    importDelivery: at(async () => (await import('./travel/import.ts')).importDelivery),
    init: at(async () => (await import('./settings.ts')).init),
  }
  return { ...views, ...intents, ...work, sweep: world.sweep }
}
