import { ButtonLink } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'

/** For people who came by single sign-on. A password is also needed for two-factor authentication by an app. */
export const NoPassword = () => (
  <section className="account-section" aria-labelledby="account-password">
    <h2 id="account-password">{t('Password')}</h2>
    <p>{t('You sign in without a password. To set one, get a link by email.')}</p>
    <div className="account-buttons">
      <ButtonLink href="~/forgot-password">{t('Set a password')}</ButtonLink>
    </div>
  </section>
)
