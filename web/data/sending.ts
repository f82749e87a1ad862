/** Browsers take 64 KiB of such requests at a time, and a character has at most three bytes. */
const mostCharacters = 20_000
let characters = 0

/** Sends a write that the browser finishes even if the tab is closed; a longer text is still a draft until it is answered. */
export const fetchToTheEnd: typeof fetch = async (url, init) => {
  const { length } = String(init?.body)
  const keepalive = characters + length <= mostCharacters
  if (!keepalive) return fetch(url, init)
  characters += length
  try {
    return await fetch(url, { ...init, keepalive })
  } finally {
    characters -= length
  }
}
