// Why a rollout leaves out cards of a project, and which fields it leaves as the project customized them: as they are stored and shown.
import { integer, list, oneOf, record, text } from '#contract/schema.ts'

export const skipReasons = ['deleted', 'no_group', 'updates_stopped', 'purged', 'in_template'] as const

export type SkipReason = (typeof skipReasons)[number]

/** How many cards for each reason. */
export type Skips = Partial<Record<SkipReason, number>>

export const aboutReasons =
  '`deleted`: the project deleted the card; `no_group`: it deleted the group of the card; `updates_stopped`: it takes no updates of the card; `purged`: the card was deleted for good; `in_template`: a version has the card again, so a deletion leaves it.'

export const skips = list(record({ reason: oneOf(skipReasons), count: integer() }), { about: aboutReasons })

export const fieldCounts = list(record({ field: text(), count: integer() }))

/** The counts that a stored object has by name, in SQL. */
export const countsIn = (stored: string, name: 'field' | 'reason' | 'use') => `(
  select coalesce(json_agg(json_build_object('${name}', key, 'count', value) order by key), '[]') from jsonb_each(${stored}))`
