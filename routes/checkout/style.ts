import { readFileSync } from 'node:fs'

const files = ['../reference/style/base.css', './style.css']

/** The style of the checkout and order pages. */
export const paymentStyle = () =>
  files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n')
