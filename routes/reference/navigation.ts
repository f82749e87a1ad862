import { type Html, html } from '#text/html.ts'
import type { Entry, Resource } from './document.ts'
import type { Topic } from './introduction.ts'

/** The contents; a popover, so that narrow windows can open it without a script. */
export const navigation = (topics: Topic[], resources: Resource[], base: string) => html`
  <nav id="contents" popover aria-label="Contents">
    <label class="filter" hidden>
      <span class="visually-hidden">Filter the operations</span>
      <input type="search" placeholder="Filter operations" autocomplete="off" spellcheck="false">
      <kbd>/</kbd>
    </label>
    <p class="quiet nothing" role="status"></p>
    <ul class="topics">${topics.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>
    ${[...Map.groupBy(resources, ({ area }) => area)].map(([area, inside]) => areaPart(area, inside, base))}
  </nav>`

const areaPart = (area: string, resources: Resource[], base: string) => html`
  <div class="area">
    ${area !== '' && html`<p class="quiet">${area}</p>`}
    ${resources.map((resource) => resourcePart(resource, base))}
  </div>`

function resourcePart({ id, name, entries }: Resource, base: string): Html {
  const links = entries.map((entry) => html`<li>${entryLink(entry, base)}</li>`)
  // `authenticate` has one operation, so it needs no heading.
  const isItsOwnOperation = entries.length === 1 && entries[0]?.name === name
  return html`<div class="resource">${!isItsOwnOperation && html`<a href="#${id}">${name}</a>`}<ul>${links}</ul></div>`
}

/** The filter searches `data-search`. */
const entryLink = ({ path, name, v1 }: Entry, base: string) =>
  html`<a href="#${v1.operationId}" data-search="${base}${path} ${v1.summary}">${name}</a>`
