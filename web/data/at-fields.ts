import { fieldErrors } from './failure.ts'

/** For `handles` of a write whose form shows the errors of these fields: a message would say the same again, over the form. */
export const areAtFields =
  (...fields: string[]) =>
  (error: unknown): boolean => {
    const refused = Object.keys(fieldErrors(error))
    return refused.length > 0 && refused.every((field) => fields.includes(field))
  }
