import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { identity, signInClient } from '../../data/client.ts'
import { failureOf } from '../../data/failure.ts'
import { Failed } from '../../data/reading.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Command } from '../../ui/command.tsx'
import { t } from '../../words/words.ts'
import { Ending } from '../ending.tsx'
import { Entrance } from '../entrance.tsx'
import { useLinkSecret } from '../link-secret.ts'
import { SetupForm } from './form.tsx'
import './page.css'

/** The page of the setup link that a start prints while there is no account. */
export default function SetupPage() {
  const token = useLinkSecret()
  return (
    <Entrance title={t('Set up')} heading={t('Set up Cardinal')}>
      <Setup key={token} token={token} />
    </Entrance>
  )
}

function Setup({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [0, `${identity}/setup/check`, token],
    queryFn: () => signInClient.call(`${identity}/setup/check`, { token }),
    enabled: token !== '',
  })
  const [refusal, setRefusal] = useState<unknown>()
  const problem = refusal ?? error
  if (token === '' || failureOf(problem).code === 'setup_link_not_found') return <InvalidLink />
  if (failureOf(problem).code === 'already_set_up') return <SetUpAlready />
  if (error)
    return (
      <Failed what={t('The setup link could not be checked')} error={error} onRetry={() => void refetch()} />
    )
  return data && <SetupForm token={token} onRefused={setRefusal} />
}

const InvalidLink = () => (
  <Ending
    title={t("This link doesn't work")}
    action={
      <>
        <Command>
          {'npm run cardinal -- user add <email> \\\n  --name <name> --superadmin --superadmin-billing'}
        </Command>
        <ButtonLink href="/sign-in">{t('Sign in')}</ButtonLink>
      </>
    }
  >
    {t(
      'It has expired, or was not copied completely. Restart Cardinal to get a new link, or add a superadmin on the server:',
    )}
  </Ending>
)

const SetUpAlready = () => (
  <Ending
    title={t('Cardinal is already set up')}
    action={<ButtonLink href="/sign-in">{t('Sign in')}</ButtonLink>}
  >
    {t("Sign in with your account. If you don't have one, ask a superadmin to add you.")}
  </Ending>
)
