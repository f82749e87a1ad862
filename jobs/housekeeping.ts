import { turnSandboxPeriods } from '#billing/sandbox.ts'
import { recordExpiredTrials } from '#billing/trial.ts'
import { purges } from '#boards/trash/purging.ts'
import { recountCoverage } from '#coverage/counts.ts'
import { recountEvaluations } from '#evaluations/counting.ts'
import { purgeProjects } from '#projects/deletion/purging.ts'
import type { JobKind } from './queue.ts'
import { recountSizes } from './recount-sizes.ts'
import { sweepExpired } from './sweep-expired.ts'

const works = {
  sweepExpired,
  ...purges,
  purgeProjects,
  recordExpiredTrials,
  turnSandboxPeriods,
  recountSizes,
  recountEvaluations,
  recountCoverage,
}

/** The hourly jobs that need nothing but the database. */
export const housekeeping: Record<string, JobKind> = Object.fromEntries(
  Object.entries(works).map(([name, work]) => [name, { work, everySeconds: 3_600 }]),
)
