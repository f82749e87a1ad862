import { killAgainAndAgain, type StormReport } from '#tests/load/storm.ts'
import type { Row, Stage } from '../row.ts'
import { dataIn, newDirectory, startServiceOn } from '../service.ts'
import { median } from '../statistics.ts'

const count = 100

/** Fails if an acknowledged write is lost or done twice; both rows show the same kills. */
async function run({ toUndo }: Stage): Promise<StormReport> {
  const directory = await newDirectory(toUndo)
  const report = await killAgainAndAgain(dataIn(directory), count, () => startServiceOn(directory, toUndo))
  for (const target of ['service', 'PostgreSQL', 'both']) {
    const seconds = report.kills
      .filter((kill) => kill.target === target)
      .map(({ recoveryMilliseconds }) => recoveryMilliseconds / 1000)
    console.log(
      `  ${target}: ${seconds.length} kills, recovery ${median(seconds).toFixed(2)} s (median), ${Math.max(...seconds).toFixed(2)} s (worst)`,
    )
  }
  console.log(
    `  ${report.acknowledged} requests acknowledged, none lost or done twice; ${report.repeated} attempts repeated, ${report.doneUnheard} requests and ${report.cutRollouts} rollouts were done or begun when their answer was lost; slowest answer ${(report.slowestMilliseconds / 1000).toFixed(2)} s`,
  )
  return report
}

let report: Promise<StormReport> | undefined
const recoveries = async (stage: Stage) => {
  report ??= run(stage)
  return (await report).kills.map(({ recoveryMilliseconds }) => recoveryMilliseconds / 1000)
}

export const killsRows: Row[] = [
  {
    name: `kills: median recovery after ${count} kills of service, PostgreSQL and both under load`,
    unit: 's',
    target: { atMost: 3 },
    measure: async (stage) => ({ subject: median(await recoveries(stage)) }),
  },
  {
    name: `kills: worst recovery after ${count} kills`,
    unit: 's',
    target: { atMost: 10 },
    measure: async (stage) => ({ subject: Math.max(...(await recoveries(stage))) }),
  },
]
