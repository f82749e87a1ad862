// Whom a plan is for and how it proceeds, as `plan` takes it and as `get` returns it, so that an expired plan can be planned again.
import { flag, integer, list, oneOf, optional, record } from '#contract/schema.ts'
import { filterInput } from '#fleet/filter.ts'
import { cardFields } from '#templates/rules.ts'
import { courseInput } from './course.ts'

export const requestInput = {
  project_ids: optional(
    list(integer(), {
      max: 1000,
      about: 'The projects that it goes to; by default those of the audience, or all with the product.',
    }),
  ),
  audience_id: optional(
    integer({
      about: 'The audience whose projects it goes to, as they are now, in addition to `project_ids`.',
    }),
  ),
  filters: optional(
    list(record(filterInput), {
      max: 10,
      about:
        'Filters as in `admin/projects/list`: it goes to the projects that match one of them now, in addition to `project_ids`.',
    }),
  ),
  reset_fields: optional(
    list(oneOf(cardFields), {
      max: 8,
      about:
        'The fields of the card to reset to what each project last received, where it customized them; nothing else is rolled out. Needs `card_id`.',
    }),
  ),
  delete_from_projects: optional(
    flag({
      about:
        'True plans the deletion of the card: when the rollout begins, it deletes the card from the template, publishes that, and deletes it from the projects. Needs `card_id`.',
    }),
  ),
  ...courseInput,
}
