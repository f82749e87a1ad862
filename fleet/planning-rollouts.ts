// Plans rollouts and reverts for superadmins: to projects, audiences and filters as they are at this moment, in the plan and in its stages.
import type { Database, Queries } from '#database/connect.ts'
import { readRollout } from '#rollouts/rollout.ts'
import { type Course, type Stage, startPlan, startRevert } from '#rollouts/starting.ts'
import type { Filter } from './filter.ts'
import { listAudienceProjects, listFilteredProjects } from './listing.ts'

/** The projects of all that are given, without repeats; all projects if nothing is. */
interface Whom {
  projectIds: readonly number[] | null
  audienceId: number | null
  filters: readonly Filter[] | null
}

interface WantedCourse extends Omit<Course, 'stages'> {
  stages: (Omit<Stage, 'audience_name'> & { audience_id?: number | null })[]
}

type WantedPlan = Omit<Parameters<typeof startPlan>[1], 'projectIds' | 'course'> & {
  whom: Whom
  course: WantedCourse
}

type WantedRevert = Omit<Parameters<typeof startRevert>[1], 'course'> & { course: WantedCourse }

export async function planRollout(db: Database, { whom, course: wantedCourse, ...wanted }: WantedPlan) {
  const projectIds = await findProjects(db, whom, wanted.boardId)
  if (typeof projectIds === 'string') return projectIds
  const course = await findCourse(db, wantedCourse, wanted.boardId)
  if (typeof course === 'string') return course
  return startPlan(db, { ...wanted, projectIds, course })
}

export async function planRevert(db: Database, { course: wantedCourse, ...wanted }: WantedRevert) {
  const reverted = await readRollout(db, wanted.rolloutId)
  if (!reverted) return 'no rollout'
  const course = await findCourse(db, wantedCourse, reverted.board_id)
  if (typeof course === 'string') return course
  return startRevert(db, { ...wanted, course })
}

/** Null for all projects. */
async function findProjects(
  queries: Queries,
  { projectIds, audienceId, filters }: Whom,
  boardId: number,
): Promise<number[] | null | 'no audience' | 'empty audience' | 'no match'> {
  const audience = audienceId === null ? null : await listAudienceProjects(queries, { audienceId, boardId })
  if (audience === 'no audience') return audience
  const hasPicked = projectIds !== null && projectIds.length > 0
  if (audience?.projectIds.length === 0 && !hasPicked) return 'empty audience'
  const filtered = filters && (await listFilteredProjects(queries, { filters, boardId }))
  if (filtered?.length === 0 && !hasPicked) return 'no match'
  const lists = [projectIds, audience?.projectIds ?? null, filtered].filter((ids) => ids !== null)
  return lists.length === 0 ? null : [...new Set(lists.flat())]
}

async function findCourse(
  queries: Queries,
  { stages: wanted, ...course }: WantedCourse,
  boardId: number,
): Promise<Course | 'past start' | 'no audience of a stage' | 'empty audience of a stage'> {
  if (course.startsAt !== null && Date.parse(course.startsAt) <= Date.now()) return 'past start'
  const stages: Stage[] = []
  for (const { audience_id: audienceId = null, ...stage } of wanted) {
    const audience = audienceId === null ? null : await listAudienceProjects(queries, { audienceId, boardId })
    if (audience === 'no audience') return 'no audience of a stage'
    if (audience?.projectIds.length === 0) return 'empty audience of a stage'
    stages.push(audience ? { ...stage, projects: audience.projectIds, audience_name: audience.name } : stage)
  }
  return { ...course, stages: stages.length > 0 ? stages : null }
}
