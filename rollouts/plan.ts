// Reads what a plan says: about each card of the template, about each project, and about one project at this moment.
import { flag, integer, list, nullable, oneOf, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import type { ReachedQuota } from '#quotas/quotas.ts'
import { boardFields, type CardField, cardFields, type Fields, groupFields } from '#templates/rules.ts'
import { changesIn, fieldChange } from '#templates/version/comparing.ts'
import { titleAt } from '#templates/version/version.ts'
import { pageOfBatches } from './outcomes.ts'
import {
  cardUses,
  type Planned,
  type PlannedProject,
  type PlannedThing,
  plannedChanges,
  plannedOutcomes,
  plannedThings,
  planProjects,
  planThings,
} from './planning.ts'
import type { RolloutKind } from './rollout.ts'
import { aboutReasons, countsIn, fieldCounts, skipReasons, skips } from './skips.ts'

const uses = list(record({ use: oneOf(cardUses), count: integer() }), {
  about:
    'In how many projects a card that is deleted is in use, and how; one card may be in use in several ways.',
})

/** What a plan says about one thing of the template in all projects. */
export const plannedCard = record({
  thing: oneOf(plannedThings),
  id: integer({ about: 'The id of the template, or of its group or card.' }),
  title: text(),
  added: integer({ about: 'In how many projects it is added.' }),
  returned: integer({ about: 'In how many projects it comes back after a rollout deleted it.' }),
  updated: integer(),
  moved: integer(),
  removed: integer(),
  uses,
  kept: integer({ about: 'In how many projects something of it stays as it was customized.' }),
  skipped: integer(),
  skips,
  updated_fields: fieldCounts,
  kept_fields: fieldCounts,
  difference: list(fieldChange, {
    about: 'Of what is updated: from what most of these projects have to what they receive.',
  }),
  sample_project_ids: list(integer(), { about: 'Some of the projects that receive something.' }),
})

type PlannedCard = (typeof plannedCard)['static']

type Counted = PlannedThing & {
  uses?: (typeof cardUses)[number][] | null
  count: number
  samples: number[]
}
interface Titled {
  thing: PlannedThing['thing']
  id: number
  title: string
}

/** What a plan says about each thing of the template; nothing while it is made. */
export async function listPlanned(queries: Queries, rolloutId: number): Promise<PlannedCard[]> {
  const [found] = await queries.run<{
    things: Counted[]
    kind: RolloutKind
    board_id: number
    revision: number
  }>(
    `select coalesce(plan -> 'things', '[]') as things, kind, board_id, revision from rollouts where id = $1`,
    [rolloutId],
  )
  const { things, kind, board_id: boardId, revision } = found as NonNullable<typeof found>
  const titles = await titlesOf(queries, { boardId, revision }, things)
  const groups = Map.groupBy(things, ({ thing, id }) => `${thing} ${id}`)
  const cards = titles.map((titled) => summarize(titled, groups.get(`${titled.thing} ${titled.id}`) ?? []))
  // A reset brings other values than those of the version, and not the same ones everywhere.
  const differences = await readDifferences(queries, { boardId, revision }, kind === 'reset' ? [] : things)
  return cards.map((card) => ({
    ...card,
    difference: differences.get(`${card.thing} ${card.id}`) ?? [],
  }))
}

/** The things that the plan is about, in their order in the template, with their titles in the version. */
const titlesOf = (
  queries: Queries,
  { boardId, revision }: { boardId: number; revision: number },
  things: readonly Counted[],
): Promise<Titled[]> => {
  const idsOf = (kind: string) => things.filter(({ thing }) => thing === kind).map(({ id }) => id)
  return queries.run<Titled>(
    `select thing, id, title from (
       select 'template' as thing, id, ${titleAt('board', '$5')} as title, 0::bigint as group_rank, 0::bigint as rank
       from master_boards thing where id = $1 and id = any($2::bigint[])
       union all select 'group', id, ${titleAt('group', '$5')}, rank, 0 from master_groups thing where id = any($3::bigint[])
       union all select 'card', thing.id, ${titleAt('card', '$5')}, g.rank, thing.rank
       from master_cards thing join master_groups g on g.id = thing.group_id where thing.id = any($4::bigint[])
     ) named order by thing = 'card', thing = 'group', group_rank, rank`,
    [boardId, idsOf('template'), idsOf('group'), idsOf('card'), revision],
  )
}

function summarize({ thing, id, title }: Titled, all: readonly Counted[]): Omit<PlannedCard, 'difference'> {
  const countOf = (isMeant: (one: Counted) => boolean) =>
    all.filter(isMeant).reduce((sum, { count }) => sum + count, 0)
  const changedTo = (change: PlannedThing['change']) => countOf((one) => one.change === change)
  const byField = (fieldsOf: (one: Counted) => string[]) =>
    [...new Set(all.flatMap(fieldsOf))].map((field) => ({
      field,
      count: countOf((one) => fieldsOf(one).includes(field)),
    }))
  return {
    ...{ thing, id, title },
    added: changedTo('added'),
    returned: changedTo('returned'),
    updated: countOf(({ change, fields }) => change === 'updated' && fields.length > 0),
    moved: countOf((one) => one.is_moved),
    removed: changedTo('removed'),
    uses: cardUses
      .map((use) => ({ use, count: countOf((one) => one.uses?.includes(use) ?? false) }))
      .filter(({ count }) => count > 0),
    kept: countOf((one) => one.kept.length > 0),
    skipped: changedTo('skipped'),
    skips: skipReasons
      .map((reason) => ({ reason, count: countOf((one) => one.reason === reason) }))
      .filter(({ count }) => count > 0),
    updated_fields: byField((one) => one.fields),
    kept_fields: byField((one) => one.kept),
    sample_project_ids: all
      .filter(({ change }) => change !== 'kept' && change !== 'skipped')
      .flatMap(({ samples }) => samples),
  }
}

const fieldsOfThings = { template: boardFields, group: groupFields, card: cardFields } as const

/** By thing: what changes for the projects that have the most common revision of it; a revert brings an earlier one than that of the version. */
async function readDifferences(
  queries: Queries,
  of: { boardId: number; revision: number },
  things: readonly Counted[],
): Promise<Map<string, PlannedCard['difference']>> {
  const differences = new Map<string, PlannedCard['difference']>()
  for (const thing of plannedThings) {
    const bases = new Map<number, { base: number; next: number | null; count: number }>()
    for (const { id, base, next = null, count } of things.filter(
      (one) => one.thing === thing && isUpdate(one),
    ))
      if (count > (bases.get(id)?.count ?? 0)) bases.set(id, { base: base as number, next, count })
    if (bases.size === 0) continue
    const states = await readStates(queries, thing, of, [...bases])
    for (const { id, before, after } of states)
      differences.set(`${thing} ${id}`, changesIn(fieldsOfThings[thing], before, after))
  }
  return differences
}

const isUpdate = ({ change, base }: Counted) => change === 'updated' && base !== null

type State = Fields<CardField | (typeof boardFields)[number] | (typeof groupFields)[number]>

/** Things as the projects have them and as they will be: at the revision `next`, or at the version. */
const readStates = (
  queries: Queries,
  thing: PlannedThing['thing'],
  { boardId, revision }: { boardId: number; revision: number },
  bases: readonly (readonly [id: number, { base: number; next: number | null }])[],
) => {
  const kind = thing === 'template' ? 'board' : thing
  return queries.run<{ id: number; before: State; after: State }>(
    `select given.id, row_to_json(before) as before, row_to_json(after) as after
     from jsonb_to_recordset($3::text::jsonb) as given (id bigint, base integer, next integer)
     join master_${kind}_revisions before on before.${kind}_id = given.id and before.revision = given.base
     join master_${kind}_revisions after on after.${kind}_id = given.id and after.revision = coalesce(given.next, (
       select max(newest.revision) from master_${kind}_revisions newest
       where newest.board_id = $1 and newest.${kind}_id = given.id and newest.published_with <= $2))`,
    [boardId, revision, JSON.stringify(bases.map(([id, at]) => ({ id, ...at })))],
  )
}

const planOutcomes = [...plannedOutcomes, 'pending'] as const

/** What a plan says about one project. */
export const plannedProject = record({
  project_id: integer(),
  project_name: text(),
  outcome: oneOf(planOutcomes, { about: '`pending` until it is known.' }),
  added: integer({ about: 'How many cards are added.' }),
  updated: integer(),
  moved: integer(),
  removed: integer({ about: 'How many cards are deleted.' }),
  uses,
  kept: integer(),
  used: integer({ about: 'How many of the kept cards are in use.' }),
  overtaken: integer({ about: 'How many of the kept cards a later rollout has changed.' }),
  skipped: integer(),
  skips,
  kept_fields: fieldCounts,
  differs: flag({ about: 'Whether it has received something else since.' }),
  /** Why it would fail, and what to do. */
  error: nullable(text()),
})

/** As stored: the reason is said in the reader's language by the operation. */
type StoredProject = Omit<(typeof plannedProject)['static'], 'error'> & {
  id: number
  error: ReachedQuota | null
}

export { planOutcomes }

type PlanOutcome = (typeof planOutcomes)[number]

/** What a plan says about each project, by the project's id. */
export const listPlannedProjects = (
  queries: Queries,
  wanted: {
    rolloutId: number
    query: string | null
    outcome: PlanOutcome | null
    after: number | null
    limit: number
  },
): Promise<StoredProject[]> =>
  queries.run(
    projectsStatement(
      wanted.outcome === null ? 'select unnest(project_ids)' : idsWithOutcome,
      wanted.query !== null,
    ),
    [
      ...[wanted.rolloutId, wanted.after, wanted.limit, wanted.query],
      ...(wanted.outcome === null ? [] : [wanted.outcome]),
    ],
  )

const countIn = (name: string) => `coalesce((planned ->> '${name}')::integer, 0) as ${name}`

/** Batches that were done when they were listed have no plan. */
const outcomeWithoutPlan = (id: string) => `
  case when done_at is null then 'pending' when ${id} = any(no_access_ids) then 'no_access' when ${id} = any(opted_out_ids) then 'opted_out' else 'unchanged' end`

const idsWithOutcome = `
  select key::bigint from jsonb_each(planned) where value ->> 'outcome' = $5
  union all select id from unnest(project_ids) id where planned is null and ${outcomeWithoutPlan('id')} = $5`

const projectsStatement = (ids: string, isSearched: boolean) => `
  with ${pageOfBatches(ids, isSearched)}
  select id, id as project_id, project_name, outcome, ${['added', 'updated', 'moved', 'removed', 'kept', 'used', 'overtaken', 'skipped'].map(countIn).join(', ')},
    ${countsIn("planned -> 'skips'", 'reason')} as skips, ${countsIn("planned -> 'uses'", 'use')} as uses, ${countsIn("planned -> 'kept_fields'", 'field')} as kept_fields, differs, planned -> 'refusal' as error
  from (
    select page.id, p.name as project_name, own.planned, differs, coalesce(own.planned ->> 'outcome', outcome) as outcome
    from page join projects p on p.id = page.id join lateral (
      select planned -> page.id::text as planned, planned is not null and page.id = any(differs_ids) as differs, ${outcomeWithoutPlan('page.id')} as outcome
      from rollout_batches where rollout_id = $1 and number = page.number offset 0
    ) own on true
  ) listed order by id`

/** What one project would receive, thing by thing. */
export const plannedThing = record({
  thing: oneOf(plannedThings),
  id: integer({ about: 'The id of the template, or of its group or card.' }),
  title: text(),
  change: oneOf(plannedChanges),
  fields: list(text(), { about: 'The fields that it receives.' }),
  kept: list(text(), {
    about:
      'The fields that stay as the project customized them; `used` or `later_rollout` if a revert leaves the card for that reason.',
  }),
  is_moved: flag(),
  reason: nullable(oneOf(skipReasons, { about: `Why it is skipped. ${aboutReasons}` })),
})

interface PlanOfProject {
  outcome: PlannedProject['outcome']
  things: (typeof plannedThing)['static'][]
  differs: boolean
  error: ReachedQuota | null
}

/** What one project of a plan would receive at this moment; undefined if the plan is not about it. */
export function readPlannedProject(
  queries: { transaction<Result>(work: (inner: Queries) => Promise<Result>): Promise<Result> },
  rolloutId: number,
  projectId: number,
): Promise<PlanOfProject | undefined> {
  return queries.transaction(async (inner) => {
    const [plan] = await inner.run<Planned & { planned: PlannedProject | null; has_access: boolean }>(
      `select p.kind, p.board_id, p.card_id, p.revision, p.reverts_id, p.reset_fields, b.planned -> $2::bigint::text as planned,
         project.deleted_at is null and project.archived_at is null and (p.kind in ('removal', 'revert') or m.tool_key is null or project.tool_keys ? m.tool_key) as has_access
       from rollouts p join rollout_batches b on b.rollout_id = p.id and $2 = any(b.project_ids)
       join master_boards m on m.id = p.board_id join projects project on project.id = $2 where p.id = $1`,
      [rolloutId, projectId],
    )
    if (!plan) return undefined
    if (!plan.has_access)
      return { outcome: 'no_access', things: [], differs: isOther(plan.planned, 'no_access'), error: null }
    const { projects } = await planProjects(inner, plan, [projectId])
    const now = projects[projectId] as PlannedProject
    const isUnchanged = plan.planned?.version === now.version && plan.planned.synced === now.synced
    if (plan.planned?.outcome === 'failed' && isUnchanged)
      return { outcome: 'failed', things: [], differs: false, error: plan.planned.refusal ?? null }
    const things = await planThings(inner, plan, projectId)
    const titles = await titlesOf(
      inner,
      { boardId: plan.board_id, revision: plan.revision },
      things as Counted[],
    )
    const titleOf = ({ thing, id }: PlannedThing) =>
      titles.find((titled) => titled.thing === thing && titled.id === id)?.title ?? ''
    return {
      outcome: now.outcome,
      things: things.map(({ base: _, ...thing }) => ({ ...thing, title: titleOf(thing as PlannedThing) })),
      differs: isOther(plan.planned, now.outcome, now.fingerprint),
      error: null,
    }
  })
}

const isOther = (planned: PlannedProject | null, outcome: PlannedProject['outcome'], fingerprint = '') =>
  planned !== null && (planned.outcome !== outcome || planned.fingerprint !== fingerprint)
