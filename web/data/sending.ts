/** Browsers take 64 KiB of such requests at a time, and a character has at most three bytes. */
const mostCharacters = 20_000
let characters = 0

/** Keys of what was sent to be created and not answered: under the same key, the service creates nothing twice. */
const unanswered = new Map<string, string>()

/** Sends a write that the browser finishes even if the tab is closed; a longer text is still a draft until it is answered. */
export const fetchToTheEnd: typeof fetch = async (url, init) => {
  const sent = url + JSON.stringify(init)
  const key = unanswered.get(sent) ?? `${Math.random()}`
  unanswered.delete(sent)
  const creates = /\/create(-many)?$/.test(`${url}`)
  const headers = { ...init?.headers, ...(creates && { 'idempotency-key': key }) }
  const { length } = String(init?.body)
  const keepalive = characters + length <= mostCharacters
  if (keepalive) characters += length
  let status = 500
  try {
    const answer = await fetch(url, { ...init, headers, keepalive })
    status = answer.status
    return answer
  } finally {
    if (keepalive) characters -= length
    if (creates && status >= 500) unanswered.set(sent, key)
  }
}
