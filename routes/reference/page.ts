import { html } from '#text/html.ts'
import { dereferenced, type Resource, resourcesOf } from './document.ts'
import { topicSection, topicsOf } from './introduction.ts'
import { navigation } from './navigation.ts'
import { operationSection } from './operation.ts'

/** The whole reference as one page, so that the browser's search finds everything; `origin` is the service's address. */
export function referencePage(source: object, origin: string): string {
  const document = dereferenced(source)
  const base = document.servers[0]?.url ?? ''
  const { title, version, description } = document.info
  const resources = resourcesOf(document)
  const topics = topicsOf(document, origin + base)
  return html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title} API reference</title>
  <meta name="description" content="${description}">
  <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(logo('#c8323c').html)}">
  <link rel="stylesheet" href="${base}/docs/style.css">
  <script type="module" src="${base}/docs/script.js"></script>
</head>
<body>
  <a class="skip" href="#content">Skip to content</a>
  <header>
    <a class="brand" href="#content">${logo('currentColor')}<span>${title} <span class="quiet">API</span></span></a>
    <span class="version quiet">${version}</span>
    <a class="document" href="${base}/openapi.json">OpenAPI</a>
    <button type="button" popovertarget="contents">Contents</button>
  </header>
  <div class="columns">
    ${navigation(topics, resources, base)}
    <main id="content" tabindex="-1">
      <h1>${title} API</h1>
      <p class="quiet">${description}.</p>
      ${topics.map(topicSection)}
      ${resources.map((resource) => resourceSection(resource, base))}
    </main>
  </div>
</body>
</html>
`.html
}

const resourceSection = ({ id, area, name, description, entries }: Resource, base: string) => html`
  <section class="resource" id="${id}">
    <h2>${area !== '' && html`<span class="quiet">${area}</span> `}${name}</h2>
    <p class="quiet">${description}</p>
    ${entries.map((entry) => operationSection(entry, base))}
  </section>`

/** The crested head of a cardinal, looking right. */
export const logo = (color: string) =>
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true"><path fill="${color}" d="M3 1c6 .5 14 3 14 10l5.5 2.5L17 15c-.8 4.7-4 7.5-9 8 1.5-3 1.6-5 .2-7.5C6.5 12.3 7.5 6 3 1z"/><circle cx="12.5" cy="10.5" r="1.3" fill="#fff"/></svg>`
