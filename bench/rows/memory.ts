import { setTimeout as sleep } from 'node:timers/promises'
import type { Row } from '../row.ts'
import type { Service } from '../service.ts'

export const memoryRows: Row[] = [
  {
    name: 'memory: idle service process',
    unit: 'MB',
    target: { atMost: 150 },
    async measure({ service }) {
      await sleep(10_000)
      return { subject: await residentMegabytes(service) }
    },
  },
]

/** As reported by the service itself, which works on every platform. */
export async function residentMegabytes({ url }: Service): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)?.[1]) / 1024 / 1024
}
