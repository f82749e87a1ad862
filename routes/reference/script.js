// What the page gains from a script; without it the page is complete.
const navigation = document.getElementById('contents')
const links = [...navigation.querySelectorAll('a')]

addFilter()
addCopyButtons()
followReading()
navigation.addEventListener('click', (event) => {
  if (event.target.closest('a') && navigation.matches(':popover-open')) navigation.hidePopover()
})

function addFilter() {
  const label = navigation.querySelector('.filter')
  const input = label.querySelector('input')
  const nothing = navigation.querySelector('.nothing')
  label.hidden = false
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/)
    const matches = (link) => words.every((word) => link.dataset.search.toLowerCase().includes(word))
    for (const link of navigation.querySelectorAll('[data-search]'))
      link.parentElement.hidden = !matches(link)
    for (const group of [
      ...navigation.querySelectorAll('.resource'),
      ...navigation.querySelectorAll('.area'),
    ])
      group.hidden = !group.querySelector('li:not([hidden])')
    const isEmpty = !navigation.querySelector('.area:not([hidden])')
    nothing.textContent = isEmpty ? 'No operation matches.' : ''
    navigation.querySelector('.topics').hidden = input.value.trim() !== ''
  })
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    const first = links.find((link) => link.dataset.search && link.checkVisibility())
    first?.click()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.matches('input') || !input.checkVisibility()) return
    event.preventDefault()
    input.select()
  })
}

function addCopyButtons() {
  // The clipboard exists on https and loopback only.
  if (!navigator.clipboard) return
  for (const figure of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent)
      button.textContent = 'Copied'
      setTimeout(() => (button.textContent = 'Copy'), 2000)
    })
    figure.querySelector('figcaption').append(button)
  }
}

/** Marks what is being read in the contents. */
function followReading() {
  const byId = new Map(links.map((link) => [link.hash.slice(1), link]))
  const mark = (entries) => {
    const entered = entries.findLast((entry) => entry.isIntersecting)
    const link = byId.get(entered?.target.id)
    if (!link) return
    navigation.querySelector('[aria-current]')?.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'location')
    if (navigation.checkVisibility()) link.scrollIntoView({ block: 'nearest' })
  }
  const observer = new IntersectionObserver(mark, { rootMargin: '-80px 0px -80% 0px' })
  for (const section of document.querySelectorAll('.operation')) observer.observe(section)
}
