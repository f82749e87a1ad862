import { useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { identity, signInClient } from '../../data/client.ts'
import { Button } from '../../ui/button.tsx'
import { t } from '../../words/words.ts'
import { type Assertion, askForPasskey, isCanceled, passkeyProblem } from '../passkeys.ts'

/** Before the challenge expires on the server. */
const renewedEvery = 4 * 60_000

interface Props {
  onProblem(problem: string): void
  onSignedIn(): void
}

/** Signs in with a passkey: by the button, or by a suggestion at the email field, which waits until the person chooses it. */
export default function PasskeySignIn({ onProblem, onSignedIn }: Props) {
  const cache = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const waiting = useRef<AbortController>(undefined)
  const send = async (assertion: Assertion) => {
    await signInClient.call(`${identity}/passkeys/sign-in`, { ...assertion })
    cache.clear()
    onSignedIn()
  }
  const report = (error: unknown) => {
    if (!isCanceled(error)) onProblem(passkeyProblem(error))
  }
  // Read by an effect that runs once.
  const current = useRef({ send, report })
  current.current = { send, report }

  const [round, setRound] = useState(0)
  useEffect(() => {
    const controller = new AbortController()
    waiting.current = controller
    void offerQuietly(controller.signal, current)
    const timer = setTimeout(() => setRound(round + 1), renewedEvery)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [round])

  const choose = async () => {
    if (isBusy) return
    onProblem('')
    setBusy(true)
    // A browser waits for one answer at a time.
    waiting.current?.abort()
    await askForPasskey().then(send).catch(report)
    setBusy(false)
    setRound(round + 1)
  }
  return (
    <Button icon={<KeyRound />} isBusy={isBusy} onClick={() => void choose()}>
      {t('Sign in with a passkey')}
    </Button>
  )
}

async function offerQuietly(
  signal: AbortSignal,
  current: { current: { send(assertion: Assertion): Promise<void>; report(error: unknown): void } },
): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
  // Nobody has asked for it yet, so nobody wants to know why it cannot be offered.
  const assertion = await askForPasskey({ isQuiet: true, signal }).catch(() => undefined)
  if (assertion && !signal.aborted) await current.current.send(assertion).catch(current.current.report)
}
