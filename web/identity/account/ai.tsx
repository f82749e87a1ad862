import { useProject } from '../../data/project.tsx'
import { t } from '../../words/words.ts'
import { isSuperadmin } from '../permissions.ts'

export function Ai() {
  const { me } = useProject()
  return (
    <section className="account-section" aria-labelledby="account-ai">
      <h2 id="account-ai">{t('AI features')}</h2>
      <p>
        {me.user.enable_ai
          ? isSuperadmin(me)
            ? t('On for your account. Another superadmin can turn them off.')
            : t('On for your account. A superadmin can turn them off.')
          : isSuperadmin(me)
            ? t('Off for your account. Another superadmin can turn them on.')
            : t('Off for your account. A superadmin can turn them on.')}
      </p>
    </section>
  )
}
