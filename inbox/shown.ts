// The same conditions as in listing.ts for the items of many projects at once: $1 has their ids.
import { hasAccess } from '#boards/board/board.ts'
import { isOpen } from '#boards/card/closing.ts'
import { isOfMember } from './listing.ts'

/** Whether a person who may see the project sees the card `c` and has not muted it; `user` is SQL. */
export const isShownTo = (user: string) => `c.deleted_at is null
  and exists (select from groups g where g.project_id = any($1::bigint[]) and g.project_id = c.project_id and g.id = c.group_id
    and g.is_active)
  and exists (select from boards b join projects p on p.id = b.project_id
    where b.project_id = any($1::bigint[]) and b.project_id = c.project_id and b.id = c.board_id
      and b.deleted_at is null and b.is_active and ${hasAccess})
  and not exists (select from card_follows f where f.project_id = any($1::bigint[]) and f.project_id = c.project_id
    and f.card_id = c.id and f.user_id = ${user} and f.is_muted)`

/** Joins the item `i` with what it is about; the condition leaves out what is not shown. */
export const joinShown = `
  left join cards c on c.project_id = any($1::bigint[]) and c.project_id = i.project_id and c.id = i.card_id
    and ${isShownTo('i.user_id')} and (i.reason not in ('due_soon', 'overdue')
      or c.due_date = i.ends_at and c.owner_id = i.user_id and ${isOpen('c')})
    and (i.reason <> 'theme_deadline' or ${isOpen('c')})
  left join subscriptions s on s.project_id = any($1::bigint[]) and s.project_id = i.project_id and s.id = i.subscription_id
    and s.status = 'trialing' and s.trial_ends_at = i.ends_at and s.trial_ends_at > now()`

export const isShown = `(c.id is not null or s.id is not null or ${isOfMember})`
