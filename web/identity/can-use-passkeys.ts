/** Whether this browser can use passkeys at this address. */
export const canUsePasskeys = (origin: string | null | undefined): boolean =>
  origin === location.origin &&
  'PublicKeyCredential' in window &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential
