import AccountPage from '../identity/account/page.tsx'
import { AccountTour } from '../tour/account-tour.tsx'

/** The account page in a project, with the section about its tour. */
export default function ProjectAccountPage() {
  return <AccountPage tour={<AccountTour />} />
}
