// The operator's area: about all projects, inside none. Nothing in it has events, so its pages poll.
import { useCallback, useEffect } from 'react'
import { forgetOwn } from '../data/own-storage.ts'
import { OperatorProvider, operatorBase } from '../data/project.tsx'
import { Failed } from '../data/reading.tsx'
import { claimDrafts } from '../drafts/drafts.ts'
import { useMe } from '../identity/me.ts'
import { isSuperadmin } from '../identity/permissions.ts'
import { operatorRoutes } from '../operator-routes.ts'
import { ButtonLink } from '../ui/button.tsx'
import { RailProvider } from '../ui/rail-state.tsx'
import { t } from '../words/words.ts'
import { Alone } from './alone.tsx'
import { Frame } from './frame.tsx'
import { useLanguageOf } from './language-of.ts'
import { OnlySuperadmins } from './only-superadmins.tsx'
import { OperatorRail } from './operator-rail.tsx'
import { Pages, usePageLoading } from './pages.tsx'
import { useReachable } from './reachable.ts'
import { ShellSkeleton } from './skeleton.tsx'

export default function OperatorShell() {
  usePageLoading(operatorBase, operatorRoutes)
  const { data, error, refetch } = useMe()
  // An ended session leads to the sign-in page.
  const isConnected = useReachable(useCallback(() => refetch({ throwOnError: true }), [refetch]))
  const isOtherLanguage = useLanguageOf(data)
  const userId = data?.user.id
  useEffect(() => {
    if (userId === undefined) return
    claimDrafts(userId)
    forgetOwn(userId)
  }, [userId])
  if (error && !data)
    return (
      <Alone title={t('Not opened')}>
        <Failed what={t('Cardinal could not be opened')} error={error} onRetry={() => void refetch()} />
      </Alone>
    )
  if (!data || isOtherLanguage) return <ShellSkeleton />
  if (!isSuperadmin(data))
    return (
      <Alone title={t('Not for your account')}>
        <OnlySuperadmins instead={<ButtonLink href="/">{t('Go to your project')}</ButtonLink>} />
      </Alone>
    )
  return (
    // Another person starts with fresh fields.
    <OperatorProvider key={data.user.id} me={data} isConnected={isConnected}>
      <RailProvider>
        <Frame rail={(content) => <OperatorRail content={content} />}>
          <Pages routes={operatorRoutes} />
        </Frame>
      </RailProvider>
    </OperatorProvider>
  )
}
