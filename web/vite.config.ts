import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type Rolldown } from 'vite'
import { type FilesByPage, start } from './start.ts'

/** The pages that people open first. */
const firstPages: Record<keyof FilesByPage, string> = {
  'sign-in': 'identity/sign-in/page.tsx',
  home: 'boards/home/page.tsx',
  board: 'boards/board/page.tsx',
}

/** Writes start.ts into the page, with the files of the first pages, and lets the styles follow the outline, which they would delay. */
const starting: Plugin = {
  name: 'starting',
  transformIndexHtml: {
    order: 'post',
    handler(page, { bundle = {}, chunk }) {
      const ofApp = chunk ? filesOf(chunk, bundle) : new Set()
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
      const filesFor = (name: string) => {
        const own = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(name)))
        return own ? [...filesOf(own, bundle)].filter((file) => !ofApp.has(file)) : []
      }
      const files = Object.fromEntries(Object.entries(firstPages).map(([key, name]) => [key, filesFor(name)]))
      const styles = page.match(/\n *<link rel="stylesheet"[^>]*>/g) ?? []
      return styles
        .reduce((rest, style) => rest.replace(style, ''), page)
        .replace('</head>', () => `  <script>(${start})(${JSON.stringify(files)})</script>\n  </head>`)
        .replace('\n    <noscript>', (next) => styles.join('') + next)
    },
  },
}

/** A chunk with what it imports, and their styles. */
function filesOf(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle, found = new Set<string>()) {
  const name = `/${chunk.fileName}`
  if (found.has(name)) return found
  found.add(name)
  for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(`/${style}`)
  for (const imported of chunk.imports) filesOf(bundle[imported] as Rolldown.OutputChunk, bundle, found)
  return found
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), starting],
  // The router brings what React has had since version 18, for older ones.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  build: {
    emptyOutDir: true,
    target: 'es2023',
    manifest: 'manifest.json',
    // The content security policy allows no data: URLs for fonts and styles.
    assetsInlineLimit: 0,
    // Every browser of this target knows it.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The lists against which new passwords are judged have 2,700 kB; every other part is far smaller.
    chunkSizeWarningLimit: 3000,
    rolldownOptions: {
      output: {
        // One file for what every page needs and one for the board and Home, since each file costs a round trip.
        codeSplitting: {
          groups: [
            { name: 'app', tags: ['$initial'], priority: 1 },
            { name: 'board', test: /boards[\\/](board|home)[\\/]page\.tsx$/ },
          ],
        },
      },
    },
  },
  // For `vite web` with a running service, with hot reload.
  server: { proxy: { '/api': 'http://127.0.0.1:3000' } },
})
