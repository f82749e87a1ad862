import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { navigate } from 'wouter/use-browser-location'
import { announce } from '../ui/announcer.tsx'
import { forgetUndo } from '../ui/toast.tsx'
import { forgetEarlyAnswers } from './early.ts'
import { failureOf, isPassing } from './failure.ts'

/** Pages that people without a session may see. */
const isForStrangers = () =>
  ['/sign-in', '/sign-up', '/invitation', '/single-sign-on'].includes(location.pathname)

/** Sends a person whose session has ended to the sign-in page, once for all requests that fail with it. */
function onError(error: unknown) {
  const { status, code } = failureOf(error)
  if (status !== 401 || isForStrangers()) return
  const to = location.pathname + location.search
  navigate(to === '/' ? '/sign-in' : `/sign-in?to=${encodeURIComponent(to)}`, { replace: true })
  forgetPerson(code)
}

const signedOut = ['signed out']

/** Clears everything that was read, shown and announced for a person who is no longer signed in. */
export function forgetPerson(code = '') {
  forgetEarlyAnswers()
  forgetUndo()
  announce('')
  queryClient.clear()
  queryClient.setQueryData(signedOut, code)
}

/** The code with which the service has refused the session since the page was loaded; empty after signing out. */
export const signedOutBy = (): string | undefined => queryClient.getQueryData(signedOut)

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      // The event stream reports changes, so nothing is refetched by itself.
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      // The service may run on this machine, even if the browser reports no network.
      networkMode: 'always',
      retry: (count, error) => count < 2 && isPassing(failureOf(error).status),
      retryDelay: (count, error) => (failureOf(error).retryAfterSeconds ?? 0.3 * 2 ** count) * 1000,
    },
    mutations: { networkMode: 'always' },
  },
})

// What waits for its turn is sent before the page is gone; a page that the browser keeps sends it later.
addEventListener('pagehide', ({ persisted }) => {
  const mutations = queryClient.getMutationCache()
  const waiting = mutations.getAll().filter(({ state }) => state.isPaused)
  if (persisted) return
  // Else they are sent again if the one before them is answered while the page goes.
  mutations.clear()
  for (const { options, state } of waiting)
    void options.mutationFn?.(state.variables, { client: queryClient, meta: options.meta })
})
