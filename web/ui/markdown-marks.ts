// Tells texts that have no Markdown, which most comments are; they need no code to show them.

/** Spaces, but no line breaks: from each of 65,000 empty lines `\s*` would look at all that follow, for 20 s. */
const marks = /[*_`~#>|[\]]|^[^\S\n]*(?:[-+]|\d+[.)])|:\/\/|\S@\S/m

export const mayHaveMarks = (text: string): boolean => marks.test(text)
