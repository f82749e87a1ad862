// What campaigns do by themselves: projects get a card, are moved to the replacement if the operator wants it, and have their cards closed when
// it ends. Run by the job queue; each project or batch commits by itself, so an interrupted run goes on where it was.
import { addCheckedCard } from '#boards/card/adding.ts'
import { readCard } from '#boards/card/card.ts'
import { changeCard } from '#boards/card/changing.ts'
import { type Database, insideTransaction, type Queries } from '#database/connect.ts'
import { reportResults } from '#evaluations/reporting.ts'
import { change } from '#events/change.ts'
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
  await updateCards(db, task)
  await closeEnded(db, task)
  await moveProjects(db, task)
}

/** What a campaign tells a project. */
export interface Said {
  language: string | null
  reason: string
  deadline: string
  name: string
  replacement: string | null
}

interface WithoutCard extends Said {
  project_id: number
  version_id: number
}

const versionName = (id: string) => `(
  select t.name || ' ' || v.version from theme_versions v join themes t on t.project_id = v.project_id and t.id = v.theme_id
  where v.id = ${id})`

/** A replacement that was deprecated itself cannot be chosen. */
const publishedOnly = (id: string) =>
  `(select other.id from theme_versions other where other.id = ${id} and other.theme_status = 'published')`

/** `c` is the campaign, `p` the project. */
export const said = `p.language, c.reason, wire_time(c.deadline) as deadline, ${versionName('c.version_id')} as name,
    ${versionName(publishedOnly('c.replacement_id'))} as replacement`

const withoutCardStatement = `
  select k.project_id, k.version_id, ${said}
  from theme_campaign_projects k
  join theme_campaigns c on c.version_id = k.version_id and c.ended_at is null
  join projects p on p.id = k.project_id and p.deleted_at is null and p.archived_at is null
  where k.told_at is null and k.left_at is null order by k.version_id, k.project_id limit ${projectsAtOnce}`

async function addCards(db: Database, { quotas, signal }: Task) {
  for (;;) {
    const without = await db.run<WithoutCard>(withoutCardStatement, [])
    for (const project of without) {
      signal.throwIfAborted()
      await addCard(db, quotas, project).catch((error) => {
        if (!reachedQuota(error)) throw error
        return db.sql`
          update theme_campaign_projects set told_at = now()
          where project_id = ${project.project_id} and version_id = ${project.version_id}`
      })
    }
    if (without.length < projectsAtOnce) return
  }
}

/** The words of the card, in the language of the project. */
export function wordsOf({ language, reason, name, replacement }: Said): {
  title: string
  description: string
} {
  const say = sayIn(speechOf(isLanguage(language) ? language : 'en'))
  const title =
    replacement === null
      ? say('Choose another theme than :theme', { theme: name })
      : say('Switch the theme from :theme to :replacement', { theme: name, replacement })
  const closing = say('The card closes by itself as soon as the project uses another theme version.')
  const text = `${reason}\n\n${closing}`
  return {
    title: [...title].slice(0, 255).join(''),
    // The reason is text also where it looks like HTML.
    description: mayHoldTag(text) ? asHtml(text) : text,
  }
}

function addCard(
  db: Database,
  quotas: Quotas,
  { project_id: projectId, version_id: versionId }: WithoutCard,
): Promise<void> {
  return change(db, projectId, async (queries) => {
    const [waiting] = await queries.run<InProject>(inProjectStatement, [projectId, versionId])
    if (!waiting || waiting.has_been_added) return
    const words = wordsOf(waiting)
    const id = await addCheckedCard(queries, quotas, {
      ...words,
      dueDate: waiting.deadline,
      check: checkOf(versionId),
    })
    await noteCard(queries, { projectId, versionId, cardId: id ?? null }, waiting, words)
  })
}

/** Brings the cards of campaigns that were changed up to date. */
async function updateCards(db: Database, { quotas, signal }: Task) {
  for (;;) {
    const outdated = await db.sql<{ project_id: number; version_id: number }[]>`
      select k.project_id, k.version_id from theme_campaign_projects k
      join theme_campaigns c on c.version_id = k.version_id and c.ended_at is null and c.changed_at is distinct from k.told_of
      join projects p on p.id = k.project_id and p.deleted_at is null and p.archived_at is null
      where k.card_id is not null and k.left_at is null order by k.version_id, k.project_id limit ${projectsAtOnce}`
    for (const { project_id: projectId, version_id: versionId } of outdated) {
      signal.throwIfAborted()
      await updateCard(db, quotas, projectId, versionId).catch((error) => {
        if (!reachedQuota(error)) throw error
        return db.sql`
          update theme_campaign_projects k set told_of = c.changed_at from theme_campaigns c
          where k.project_id = ${projectId} and k.version_id = ${versionId} and c.version_id = k.version_id`
      })
    }
    if (outdated.length < projectsAtOnce) return
  }
}

interface InProject extends Said {
  has_been_added: boolean
  changed_at: string
  card_id: number | null
  told_deadline: string | null
  told_title: string | null
  told_description: string | null
}

/** $1 the project, $2 the version. */
const inProjectStatement = `
  select k.told_at is not null as has_been_added, c.changed_at::text as changed_at, k.card_id, wire_time(k.told_deadline) as told_deadline, k.told_title, k.told_description, ${said}
  from theme_campaign_projects k join theme_campaigns c on c.version_id = k.version_id and c.ended_at is null
  join projects p on p.id = k.project_id and p.archived_at is null
  where k.project_id = $1 and k.version_id = $2 and k.left_at is null for no key update of k`

/** What a project changed in its card stays. After a new deadline people are reminded again. */
const updateCard = (db: Database, quotas: Quotas, projectId: number, versionId: number) =>
  change(db, projectId, async (queries) => {
    const [project] = await queries.run<InProject>(inProjectStatement, [projectId, versionId])
    if (!project) return
    const words = wordsOf(project)
    const card = project.card_id === null ? undefined : await readCard(queries, projectId, project.card_id)
    if (card) {
      const isDue = card.due_is_date && card.due_date === project.told_deadline
      const wanted = {
        ...(card.title === project.told_title && { title: words.title }),
        ...(card.description === project.told_description && { description: words.description }),
        ...(isDue && { due_date: project.deadline, due_is_date: true }),
      }
      await changeCard(
        insideTransaction(db, queries),
        quotas,
        { projectId, id: card.id, actorId: null },
        wanted,
      )
    }
    await noteCard(queries, { projectId, versionId, cardId: project.card_id }, project, words)
  })

/** Notes what the card of a project says. */
const noteCard = (
  { sql }: Queries,
  { projectId, versionId, cardId }: { projectId: number; versionId: number; cardId: number | null },
  { changed_at: changedAt, deadline }: InProject,
  { title, description }: { title: string; description: string },
) => sql`
  update theme_campaign_projects set told_at = coalesce(told_at, now()), card_id = ${cardId}, told_of = ${changedAt}::text::timestamptz,
    told_title = ${title}, told_description = ${description},
    reminders = case when told_deadline is distinct from ${deadline}::text::timestamptz then 0 else reminders end,
    told_deadline = ${deadline}::text::timestamptz
  where project_id = ${projectId} and version_id = ${versionId}`

/** A campaign that has ended leaves nothing to do, so its cards are closed; those of archived projects when these are back. */
async function closeEnded(db: Database, { signal }: Task) {
  for (;;) {
    signal.throwIfAborted()
    const closed = await db.transaction(async (queries) => {
      const { sql } = queries
      const rows = await sql<{ project_id: number; version_id: number; card_id: number | null }[]>`
        select k.project_id, k.version_id, k.card_id from theme_campaign_projects k
        join theme_campaigns c on c.version_id = k.version_id and c.ended_at is not null
        join projects p on p.id = k.project_id and p.archived_at is null
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
