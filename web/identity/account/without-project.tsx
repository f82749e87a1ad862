import { CloseAccount, MyData } from './my-data.tsx'
import './page.css'

/** For people who are in no project, and so have no account page: their data stays theirs. */
export default function AccountWithoutProject({ email }: { email: string }) {
  return (
    <div className="account-alone">
      <MyData />
      <CloseAccount email={email} />
    </div>
  )
}
