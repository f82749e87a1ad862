import type { Database } from '#database/connect.ts'

/** Where the words of a thing are, and which events `e` tell of it. */
const things = {
  cards: { words: ['title', 'description', 'short_description'], told: 'e.card_id = emptied.id' },
  groups: { words: ['title', 'description'], told: toldAs('group') },
  boards: { words: ['title', 'description'], told: `e.board_id = emptied.id or ${toldAs('board')}` },
  tags: { words: ['name'], told: toldAs('tag') },
}

function toldAs(noun: string) {
  return `e.kind like '${noun}.%' and e.data->'${noun}_id' = to_jsonb(emptied.id)`
}

/**
 * Empties what was deleted long ago: comments go, and of cards, groups, boards and tags the words go, those in their history too. The
 * rows stay: a copy's row is what keeps a template from bringing it back.
 */
export async function purgeDeleted(db: Database): Promise<void> {
  const isOld = 'deleted_at < kept_since()'
  await db.transaction(async ({ sql }) => {
    await sql.unsafe(`delete from comment_reads r using comments m
      where m.project_id = r.project_id and m.id = r.comment_id and m.${isOld}`)
    await sql.unsafe(`update comments set comment = '' where ${isOld} and comment <> ''`)
    for (const [table, { words, told }] of Object.entries(things)) {
      const [name, ...texts] = words
      const history = words.map((word) => ` #- '{changes,${word}}'`).join('')
      await sql.unsafe(`
        with emptied as (
          update ${table} set ${[`${name} = ''`, ...texts.map((text) => `${text} = null`)].join(', ')}
          where ${isOld} and ${name} <> '' returning project_id, id
        )
        update events e set data = (e.data - '${name}')${history}
        from emptied where e.project_id = emptied.project_id and (${told})`)
    }
  })
}
