// What campaigns do by themselves: projects get a card, are moved to the replacement if the operator wants it, and have their cards closed when
// it ends. Run by the job queue; each project or batch commits by itself, so an interrupted run goes on where it was.
import { addCheckedCard } from '#boards/card/adding.ts'
import { type Database, insideTransaction } from '#database/connect.ts'
import { reportResults } from '#evaluations/reporting.ts'
import { change } from '#events/change.ts'
import { recordTogether } from '#events/record.ts'
import { isLanguage } from '#languages/known.ts'
import { sayIn, speechOf } from '#languages/speech.ts'
import { type Quotas, reachedQuota } from '#quotas/quotas.ts'
import { mayHoldTag } from '#text/description.ts'
import { asHtml } from '#text/write-html.ts'
import { checkOf, passed } from './leaving.ts'
import { moveProjects } from './moving.ts'

const projectsAtOnce = 100

interface Task {
  quotas: Quotas
  signal: AbortSignal
}

export async function followCampaigns(db: Database, task: Task): Promise<void> {
  await addCards(db, task)
  await moveDeadlines(db, task)
  await closeEnded(db, task)
  await moveProjects(db, task)
}

interface Untold {
  project_id: number
  version_id: number
  language: string | null
  reason: string
  deadline: string
  name: string
  replacement: string | null
}

const versionName = (id: string) => `(
  select t.name || ' ' || v.version from theme_versions v join themes t on t.project_id = v.project_id and t.id = v.theme_id
  where v.id = ${id})`

/** A replacement that was deprecated itself cannot be chosen. */
const publishedOnly = (id: string) =>
  `(select other.id from theme_versions other where other.id = ${id} and other.theme_status = 'published')`

const untoldStatement = `
  select k.project_id, k.version_id, p.language, c.reason, c.deadline, ${versionName('c.version_id')} as name,
    ${versionName(publishedOnly('c.replacement_id'))} as replacement
  from theme_campaign_projects k
  join theme_campaigns c on c.version_id = k.version_id and c.ended_at is null
  join projects p on p.id = k.project_id and p.deleted_at is null
  where k.told_at is null and k.left_at is null order by k.version_id, k.project_id limit ${projectsAtOnce}`

async function addCards(db: Database, { quotas, signal }: Task) {
  for (;;) {
    const untold = await db.run<Untold>(untoldStatement, [])
    for (const project of untold) {
      signal.throwIfAborted()
      await tell(db, quotas, project).catch((error) => {
        if (!reachedQuota(error)) throw error
        return db.sql`
          update theme_campaign_projects set told_at = now()
          where project_id = ${project.project_id} and version_id = ${project.version_id}`
      })
    }
    if (untold.length < projectsAtOnce) return
  }
}

/** The card is written in the language of the project. */
function tell(
  db: Database,
  quotas: Quotas,
  { project_id: projectId, version_id: versionId, ...about }: Untold,
) {
  const say = sayIn(speechOf(isLanguage(about.language) ? about.language : 'en'))
  const { name, replacement } = about
  const title =
    replacement === null
      ? say('Choose another theme than :theme', { theme: name })
      : say('Switch the theme from :theme to :replacement', { theme: name, replacement })
  const closing = say('The card closes by itself as soon as the project uses another theme version.')
  const text = `${about.reason}\n\n${closing}`
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const [waiting] = await sql`
      select from theme_campaign_projects where project_id = ${projectId} and version_id = ${versionId}
        and told_at is null and left_at is null for no key update`
    if (!waiting) return
    const id = await addCheckedCard(queries, quotas, {
      title: [...title].slice(0, 255).join(''),
      // The reason is text also where it looks like HTML.
      description: mayHoldTag(text) ? asHtml(text) : text,
      dueDate: about.deadline,
      check: checkOf(versionId),
    })
    await sql`
      update theme_campaign_projects set told_at = now(), told_deadline = ${about.deadline}::text::timestamptz, card_id = ${id ?? null}
      where project_id = ${projectId} and version_id = ${versionId}`
  })
}

/** Brings the cards of campaigns whose deadline was moved to the new one. */
async function moveDeadlines(db: Database, { signal }: Task) {
  for (;;) {
    const moved = await db.sql<{ project_id: number; version_id: number }[]>`
      select k.project_id, k.version_id from theme_campaign_projects k
      join theme_campaigns c on c.version_id = k.version_id and c.ended_at is null and c.deadline is distinct from k.told_deadline
      join projects p on p.id = k.project_id and p.deleted_at is null
      where k.card_id is not null and k.left_at is null order by k.version_id, k.project_id limit ${projectsAtOnce}`
    for (const { project_id: projectId, version_id: versionId } of moved) {
      signal.throwIfAborted()
      await moveDeadline(db, projectId, versionId)
    }
    if (moved.length < projectsAtOnce) return
  }
}

interface Dated {
  card_id: number
  board_id: number
  from: string | null
  to: string
}

/** A project that gave its card another due date keeps it. People are reminded again. */
const moveDeadline = (db: Database, projectId: number, versionId: number) =>
  change(db, projectId, async (queries) => {
    const [dated] = await queries.run<Dated>(moveStatement, [projectId, versionId])
    await queries.sql`
      update theme_campaign_projects k set told_deadline = c.deadline, reminders = 0 from theme_campaigns c
      where k.project_id = ${projectId} and k.version_id = ${versionId} and c.version_id = k.version_id`
    if (!dated) return
    const { card_id: cardId, board_id: boardId, from, to } = dated
    const changes = { due_date: { from, to }, due_is_date: { from: true, to: true } }
    await recordTogether(queries, [
      { boardId, cardId, actorId: null, kind: 'card.updated', data: { changes } },
    ])
  })

/** $1 the project, $2 the version. */
const moveStatement = `
  with moved as materialized (
    select k.card_id, k.told_deadline, c.deadline from theme_campaign_projects k join theme_campaigns c on c.version_id = k.version_id
    where k.project_id = $1 and k.version_id = $2 and k.left_at is null and c.ended_at is null for no key update of k
  ), dated as (
    update cards set due_date = moved.deadline, updated_at = now() from moved
    where cards.project_id = $1 and cards.id = moved.card_id and cards.due_is_date and cards.due_date = moved.told_deadline
      and cards.deleted_at is null
    returning cards.id as card_id, cards.board_id, moved.told_deadline, moved.deadline
  )
  select card_id, board_id, wire_time(told_deadline) as "from", wire_time(deadline) as "to" from dated`

/** A campaign that has ended leaves nothing to do, so its cards are closed. */
async function closeEnded(db: Database, { signal }: Task) {
  for (;;) {
    signal.throwIfAborted()
    const closed = await db.transaction(async (queries) => {
      const { sql } = queries
      const rows = await sql<{ project_id: number; version_id: number; card_id: number | null }[]>`
        select k.project_id, k.version_id, k.card_id from theme_campaign_projects k
        join theme_campaigns c on c.version_id = k.version_id and c.ended_at is not null
        order by k.version_id, k.project_id limit ${projectsAtOnce}`
      const carded = rows.filter(({ card_id: id }) => id !== null)
      if (carded.length > 0) await reportResults(insideTransaction(db, queries), carded.map(passed), null)
      await sql`
        delete from theme_campaign_projects k
        using unnest(${rows.map((row) => row.project_id)}::bigint[], ${rows.map((row) => row.version_id)}::bigint[]) gone (project_id, version_id)
        where k.project_id = gone.project_id and k.version_id = gone.version_id`
      return rows.length
    })
    if (closed < projectsAtOnce) return
  }
}
