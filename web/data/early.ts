// Answers that the page asked for before the app was loaded (start.ts).

const { earlyAnswers = new Map() } = globalThis as { earlyAnswers?: Map<string, Promise<Response>> }

/** Takes the early answer to a request, if there is one, else asks. */
export const fetchOrTake: typeof fetch = async (url, init) => {
  const project = new Headers(init?.headers).get('x-project-id') ?? ''
  const key = `${url} ${project} ${init?.body}`
  const early = earlyAnswers.get(key)
  earlyAnswers.delete(key)
  const answer = await early?.catch(() => undefined)
  // A refusal may have another reason by now, except that nobody is signed in.
  return answer?.ok || answer?.status === 401 ? answer : fetch(url, init)
}

/** For when they may be outdated, or another person's. */
export const forgetEarlyAnswers = () => earlyAnswers.clear()
