// Reads the addresses of projects' websites; a `website_url` is always one that this file has accepted.

export const longestWebsiteUrl = 255

/** The address in its usual form, or undefined if it is not that of a website. */
export function readWebsiteUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { href, protocol, username, password, search, hash } = new URL(text)
  const isPlain = username === '' && password === '' && search === '' && hash === ''
  return /^https?:$/.test(protocol) && isPlain && href.length <= longestWebsiteUrl ? href : undefined
}

const builtIn = 'http:'

/** What the check `http:/imprint` looks at. The path is added to the address, so it cannot lead to another host. */
export function checkedAddress(websiteUrl: string, check: string): string {
  const path = check.slice(builtIn.length)
  return `${websiteUrl.replace(/\/+$/, '')}${path.startsWith('/') ? '' : '/'}${path}`
}
