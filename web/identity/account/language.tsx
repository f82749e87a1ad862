import { identity } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { Segments } from '../../ui/segments.tsx'
import { askedLanguage, languageNames, speak } from '../../words/choosing.ts'
import { t } from '../../words/words.ts'

const choices = { browser: t('Same as browser'), ...languageNames }

export function LanguageChoice() {
  const { me } = useProject()
  const { mutate } = useWrite(`${identity}/users/update`, {
    failed: t('The language was not changed'),
    // The app is built once for each language, so it is loaded again.
    done: ({ language }) => speak(language ?? null),
  })
  return (
    <section className="account-section" aria-labelledby="account-language">
      <h2 id="account-language">{t('Language')}</h2>
      <Segments
        label={t('Language')}
        choices={choices}
        chosen={me.user.language ?? askedLanguage() ?? 'browser'}
        onChoose={(chosen) => mutate({ language: chosen === 'browser' ? null : chosen })}
      />
    </section>
  )
}
