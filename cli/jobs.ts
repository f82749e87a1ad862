import { recordEntry } from '#audit/record.ts'
import { readConfig } from '#config.ts'
import { type ListedJob, listJobs, retryJob } from '../jobs/table.ts'
import { changing } from './changing.ts'
import { CommandProblem } from './command-problem.ts'
import { withDatabase } from './with-database.ts'

export async function listJobsCommand() {
  const jobs = await withDatabase(readConfig(process.env), (db) => listJobs(db))
  for (const job of jobs) console.log(`${job.id}  ${job.kind}  ${stateOf(job)}`)
  if (jobs.length === 0) console.log('There are no jobs.')
}

function stateOf({ state, attempts, run_at: runAt, dead_at: deadAt, error }: ListedJob): string {
  const attempt = attempts > 0 ? `, attempt ${attempts}` : ''
  const when = {
    running: `running${attempt}`,
    waiting: `due at ${runAt}${attempt}`,
    dead: `dead since ${deadAt}`,
  }[state]
  return error === null ? when : `${when}: ${error}`
}

export async function retryJobCommand(id: string) {
  if (!/^\d{1,15}$/.test(id))
    throw new CommandProblem('The id of a job is a number. Run "cardinal jobs" to list them.')
  await changing('jobs retry', async (db, origin) => {
    if (!(await retryJob(db, Number(id))))
      throw new CommandProblem(
        `There is no job ${id} that is waiting or dead. Run "cardinal jobs" to list them.`,
      )
    await recordEntry(db, origin, { kind: 'command.run', details: { job: Number(id) } })
  })
  console.log(`Job ${id} is due now.`)
}
