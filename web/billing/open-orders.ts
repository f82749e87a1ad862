import { platforms } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { useMay } from '../identity/permissions.ts'
import { useHasOrder } from './subscriptions.ts'
import type { Order } from './types.ts'

/** The project's unpaid orders; empty for people who may not pay them. Read only if a subscription has one. */
export function useOpenOrders(): Order[] {
  const mayPay = useMay('upgrade')
  const hasOrder = useHasOrder()
  const { data } = useRead(`${platforms}/orders/list`, { limit: 50 }, { enabled: mayPay && hasOrder })
  return hasOrder ? (data?.orders.filter(({ status }) => status === 'open') ?? []) : []
}
