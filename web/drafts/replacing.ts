import { showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'

/** Says that a new title has replaced a newer one of someone else. */
export const replacedWords = (title: string, other: string) =>
  t('Renamed to “{title}”. Someone else had just renamed it to “{other}”.', { title, other })

/** Saves a new title in place of `value`, and says so with undo if that is not the one at which typing `begun`. */
export const sayingReplaced =
  (value: string, save: (title: string) => Promise<unknown>) =>
  async (title: string, begun = value) => {
    await save(title)
    // A refusal is already shown.
    if (begun !== value) showToast(replacedWords(title, value), () => void save(value).catch(() => {}))
  }
