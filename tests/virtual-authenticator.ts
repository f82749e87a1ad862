// An authenticator of the browser itself, for tests of passkeys on pages.
import type { Page } from 'playwright-core'

/** Gives the browser an authenticator that verifies the person by itself. */
export async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Whether the person touches it when asked. */
    answers: (enabled: boolean) =>
      session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    count: async () =>
      (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}
