// What was filled in on a page before signing in stays there when the page is loaded again in another language, except passwords.
const place = 'cardinal form'
/** Neither passwords nor codes. */
const keptNames = ['name', 'email', 'project_name']

interface Kept {
  pathname: string
  answers: Readonly<Record<string, string>>
}

const kept = take()

function take(): Kept | undefined {
  const stored = sessionStorage.getItem(place)
  sessionStorage.removeItem(place)
  return stored === null ? undefined : (JSON.parse(stored) as Kept)
}

const written: Record<string, string> = { ...kept?.answers }

document.addEventListener('input', ({ target }) => {
  if (target instanceof HTMLInputElement && keptNames.includes(target.name))
    written[target.name] = target.value
})

/** Called before the page is loaded again. */
export const keepAnswers = () =>
  sessionStorage.setItem(
    place,
    JSON.stringify({ pathname: location.pathname, answers: written } satisfies Kept),
  )

/** The first answers of a form: the kept ones if there are any, otherwise the given ones. */
export function firstAnswers<Answers extends Record<string, string>>(empty: Answers): Answers {
  if (kept?.pathname !== location.pathname) return empty
  const names = Object.keys(empty).filter((name) => kept.answers[name] !== undefined)
  return { ...empty, ...Object.fromEntries(names.map((name) => [name, kept.answers[name]])) }
}
