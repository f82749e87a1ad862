/** The forms of a counted text in a language. */
export type Forms = { readonly other: string } & { readonly [Form in Intl.LDMLPluralRule]?: string }

/** What a language says for each English text; a counted text is named by its form for many. */
export type Texts = Readonly<Record<string, string | Forms>>
