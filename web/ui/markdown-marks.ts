// Tells texts that have no Markdown, which most comments are; they need no code to show them.

/** No line breaks, of which there are several kinds: from each of 65,000 empty lines `\s*` would look at all that follow, for 20 s. */
const marks = /[*_`~#>|[\]]|^[ \t]*(?:[-+]|\d+[.)])|:\/\/|\S@\S/m

export const mayHaveMarks = (text: string): boolean => marks.test(text)
