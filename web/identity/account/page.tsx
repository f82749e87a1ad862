import { AccountTour } from '../../tour/account-tour.tsx'
import { Page } from '../../ui/page.tsx'
import { t } from '../../words/words.ts'
import { SignOut } from '../sign-out.tsx'
import { AccountSections } from './sections.tsx'

export default function AccountPage() {
  return (
    <Page title={t('Account')} width="form" actions={<SignOut />}>
      <AccountSections tour={<AccountTour />} />
    </Page>
  )
}
