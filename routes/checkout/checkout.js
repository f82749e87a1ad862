// Sends the form without leaving the page, so that a mistake keeps what was typed and Back leads to Cardinal.
const form = document.querySelector('form')
const problem = form?.querySelector('#problem')
form?.addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  problem.hidden = true
  const body = new URLSearchParams(new FormData(form))
  const answer = await fetch(location.href, { method: 'POST', body, redirect: 'manual' }).catch(
    () => undefined,
  )
  button.disabled = false
  // Only a payment redirects.
  if (answer?.type === 'opaqueredirect') return location.replace(form.dataset.paid)
  if (!answer) return show(problem.dataset.unreachable)
  if (answer.status === 429) return show(problem.dataset.tooMany)
  if (answer.status >= 500) return show(problem.dataset.failed)
  // The checkout has ended, which the page itself says.
  if (answer.status !== 422) return location.reload()
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  document.title = page.title
  for (const field of form.querySelectorAll('.field')) {
    const input = field.querySelector('input')
    const judged = page.getElementById(input.id)
    judged.value = input.value
    field.replaceWith(judged.closest('.field'))
  }
  const wrong = form.querySelector('[aria-invalid]')
  wrong.focus()
  wrong.select()
})

/** Shows one message: those of an earlier answer leave. */
function show(message) {
  for (const error of form.querySelectorAll('.field .error')) error.remove()
  for (const input of form.querySelectorAll('[aria-invalid]')) input.removeAttribute('aria-invalid')
  problem.lastElementChild.textContent = message
  problem.hidden = false
}
