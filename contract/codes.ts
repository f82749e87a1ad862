// Every code that an operation can answer with: its own and the router's.
import { type Codes, type Failures, fieldCode, keyFailures, usual } from './failure.ts'
import type { Description } from './operation.ts'
import { english } from './speech.ts'
import { rules, rulesOf } from './validate.ts'

/** The codes of a status with their sentences, without the codes that every operation has, such as the API's reasons for a 401. */
export const ownCodesOf = ({ failures, beforehand }: Description, status: number): Codes => ({
  ...(status !== 401 && codesIn(beforehand, status)),
  ...codesIn(failures, status),
})

/** All codes of a status. A code of a 422 joins the field and the rule. */
export function codesOf(operation: Description, status: number): Codes {
  return {
    ...(isMachines(operation, status) && codesIn(usual, status)),
    ...(operation.writes && codesIn(keyFailures, status)),
    ...codesIn(operation.beforehand, status),
    ...codesIn({ 422: fieldCodesOf(operation) }, status),
    ...ownCodesOf(operation, status),
  }
}

/** The declared codes of a status. A 422 has one for each field and rule. */
export function codesIn(failures: Failures, status: number): Codes {
  if (status !== 422) return (failures as Record<number, Codes>)[status] ?? {}
  return Object.fromEntries(
    Object.entries(failures[422] ?? {}).flatMap(([field, codes]) =>
      Object.entries(codes).map(([code, sentence]) => [
        fieldCode(field, code),
        sentence.replace(':attribute', english.label(field)),
      ]),
    ),
  )
}

function isMachines({ audience, isForAnyone }: Description, status: number): boolean {
  if (status === 401) return audience !== 'public'
  if (status === 403) return audience !== 'public' && !isForAnyone
  return status !== 404 && status !== 409
}

/** The codes of a 422 by field. */
export function fieldCodesOf({ input, failures, beforehand, writes }: Description): Record<string, Codes> {
  const fields: Record<string, Codes> = {}
  const add = (field: string, codes: Codes) => {
    fields[field] = { ...fields[field], ...codes }
  }
  for (const [name, schema] of Object.entries(input))
    for (const [field, names] of rulesOf(name, schema))
      add(field, Object.fromEntries(names.map((rule) => [rule, rules[rule]])))
  for (const declared of [writes && keyFailures[422], beforehand[422], failures[422]])
    for (const [field, codes] of Object.entries(declared ?? {})) add(field, codes)
  return fields
}
