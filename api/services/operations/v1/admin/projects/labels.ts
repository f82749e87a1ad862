/** Declared for each label that is given to a project. */
export const notOneLine = {
  not_one_line: 'The :attribute field must be one line without tabs and other control characters.',
} as const
