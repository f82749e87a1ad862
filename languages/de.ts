// What the app says in German, by the English text.
import type { Texts } from './texts.ts'

export const app: Texts = {
  // identity
  Language: 'Sprache',
  'Same as browser': 'Wie der Browser',
  'The language was not changed': 'Die Sprache wurde nicht geändert',
  // index.html
  'Cardinal needs JavaScript. The HTTP API at /api/docs does not.':
    'Cardinal braucht JavaScript. Die HTTP-API unter /api/docs braucht keins.',
}
