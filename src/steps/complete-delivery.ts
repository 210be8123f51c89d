import type { Outcome } from '../delivery/events.ts'
import type { CompleteDelivery } from '../delivery/step.ts'

export const completeDelivery = ({ id, result, reason, concerns }: CompleteDelivery): Outcome => ({
  type: 'DeliveryCompleted',
  step: id,
  result,
  reason,
  concerns,
})
