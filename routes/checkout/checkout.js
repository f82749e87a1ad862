// Sends the form without leaving the page, so that a mistake keeps what was typed and Back leads to Cardinal.
const form = document.querySelector('form')
form?.addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = form.querySelector('button')
  button.disabled = true
  const body = new URLSearchParams(new FormData(form))
  const answer = await fetch(location.href, { method: 'POST', body, redirect: 'manual' }).catch(
    () => undefined,
  )
  button.disabled = false
  // Only a payment redirects.
  if (answer?.type === 'opaqueredirect') return location.replace(form.dataset.paid)
  // The browser says what is wrong: it cannot reach the service, or the checkout has ended.
  if (answer?.status !== 422) return location.reload()
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
