// A language that nobody speaks: every text in accents, longer by half, and between marks. What is seen outside of the marks is not translated.
import { glob, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Forms, Texts } from '#languages/texts.ts'
import { textsIn } from '../tools/translate.ts'

const root = path.join(import.meta.dirname, '..')

export async function pseudoTexts(): Promise<Texts> {
  const texts: Record<string, string | Forms> = {}
  for await (const file of glob('web/**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['web/dist', 'web/words', '**/*.test.ts'],
  }))
    for (const { key, english } of textsIn(file, await readFile(path.join(root, file), 'utf8')))
      texts[key] = typeof english === 'string' ? pseudo(english) : pseudoForms(english)
  return texts
}

const accents = new Map(
  [...'aeiouAEIOUcnsyzCNSYZ'].map((letter, index) => [letter, [...'áéíóúÁÉÍÓÚçñšýžÇÑŠÝŽ'][index] as string]),
)

const pseudoForms = (forms: Forms) =>
  Object.fromEntries(Object.entries(forms).map(([form, text]) => [form, pseudo(text)])) as Forms

/** German is longer than English by a third. */
function pseudo(text: string): string {
  const said = text.replaceAll(
    /(\{\w+\}|<\/?\w+>)|(.)/gsu,
    (_all, kept: string | undefined, letter: string) => kept ?? accents.get(letter) ?? letter,
  )
  return `⟦${said}${'·'.repeat(Math.ceil(text.length / 3))}⟧`
}
