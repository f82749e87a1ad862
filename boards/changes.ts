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
 * What a request changes. An absent field stays as it is. Null clears a field, except the fields in `kept`, which stay as they are.
 * A field that already has the wanted value is not a change.
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

/** The event payload of a thing that is created or restored: the named values unless they are null, and that it has a description. */
export const payloadOf = <Thing extends object, Name extends keyof Thing & string>(
  thing: Thing & { description?: string | null },
  names: readonly Name[],
) => ({
  ...(Object.fromEntries(
    names.filter((name) => thing[name] !== null).map((name) => [name, thing[name]]),
  ) as Pick<Thing, Name>),
  ...(typeof thing.description === 'string' && { texts: ['description'] satisfies LongText[] }),
})
