import type { ColumnValue } from '#database/assignments.ts'
import { type LongText, longTexts } from '#events/catalogue.ts'

/** The changes of an update: new values by column, and the event payload. */
export interface Changes<Thing> {
  values: Record<string, ColumnValue>
  payload: {
    changes: {
      [Name in Exclude<keyof Thing, LongText>]?: { from: Thing[Name] | null; to: Thing[Name] | null }
    }
    texts?: LongText[]
  }
}

const isLong = (name: string) => (longTexts as readonly string[]).includes(name)

/**
 * An absent field is left. Null clears a field that may be null; on one that may not (`kept`) it changes nothing.
 * A field that has its new value already is no change.
 */
export function changesOf<Thing extends object>(
  before: Thing,
  input: { [Name in keyof Thing]?: Thing[Name] | null | undefined },
  { kept }: { kept: readonly (keyof Thing)[] },
): Changes<Thing> {
  const changed = (Object.entries(input) as [keyof Thing & string, ColumnValue][]).filter(
    ([name, to]) => to !== undefined && !(to === null && kept.includes(name)) && to !== before[name],
  )
  const texts = changed.map(([name]) => name).filter(isLong) as LongText[]
  const short = changed.filter(([name]) => !isLong(name))
  return {
    values: Object.fromEntries(changed),
    payload: {
      changes: Object.fromEntries(
        short.map(([name, to]) => [name, { from: before[name] ?? null, to }]),
      ) as Changes<Thing>['payload']['changes'],
      ...(texts.length > 0 && { texts }),
    },
  }
}

export const isEmpty = ({ values }: Pick<Changes<object>, 'values'>) => Object.keys(values).length === 0

/** The event payload of a new thing besides its title: the given values, and the names of long texts. */
export function payloadOf(given: {
  tool_key?: string | null
  type?: string | null
  icon?: string | null
  color?: string | null
  description?: string | null
}) {
  const { description, icon, color, tool_key, type } = given
  return {
    ...(tool_key && { tool_key }),
    ...(type && { type }),
    ...(icon && { icon }),
    ...(color && { color }),
    ...(description && { texts: ['description'] satisfies LongText[] }),
  }
}
