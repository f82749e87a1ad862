// Reads tokens.css: contrasts in both appearances, and that no two meanings share a color.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')
const tokens = new Map([...css.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]))

type Appearance = 'light' | 'dark'
interface Color {
  lightness: number
  chroma: number
  hue: number
}

function colorOf(name: string, appearance: Appearance): Color {
  const value = tokens.get(name) ?? ''
  const [, light, dark] = /^light-dark\((.+?\)), (.+)\)$/.exec(value) ?? []
  const chosen = (appearance === 'light' ? light : dark) ?? value
  const [, other] = /^var\(--([\w-]+)\)$/.exec(chosen) ?? []
  if (other) return colorOf(other, appearance)
  const [, lightness, chroma, hue] = /^oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)$/.exec(chosen) ?? []
  assert.ok(hue, `--${name} is ${value}`)
  return { lightness: Number(lightness), chroma: Number(chroma), hue: Number(hue) }
}

/** The relative luminance of WCAG, by way of Oklab and linear sRGB. */
function luminance({ lightness, chroma, hue }: Color): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const inGamut = (part: number) => Math.min(Math.max(part, 0), 1)
  return (
    0.2126 * inGamut(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s) +
    0.7152 * inGamut(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s) +
    0.0722 * inGamut(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  )
}

function contrast(one: Color, other: Color): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((x, y) => x - y)
  return (light + 0.05) / (dark + 0.05)
}

const backgrounds = ['page', 'rail', 'column', 'surface', 'raised']
const hues = ['red', 'orange', 'amber', 'green', 'teal', 'blue', 'violet', 'pink', 'gray']
/** Foreground, backgrounds and the least contrast. */
const pairs: [string[], string[], number][] = [
  [['text', 'text-soft', 'text-muted', 'danger'], backgrounds, 4.5],
  [['on-primary'], ['primary', 'primary-hover'], 4.5],
  [['on-danger'], ['danger', 'danger-hover'], 4.5],
  [['danger'], ['danger-soft'], 4.5],
  [['on-focus'], ['focus'], 4.5],
  [['on-lost'], ['lost'], 4.5],
  [['text'], ['selected-text', 'mark'], 4.5],
  [['focus', 'brand', 'icon', 'line-control', ...hues], backgrounds, 3],
]

for (const appearance of ['light', 'dark'] as const) {
  test(`${appearance}: text has a contrast of 4.5, icons and borders with a meaning have 3`, () => {
    const low = pairs.flatMap(([fronts, backs, least]) =>
      fronts.flatMap((front) =>
        backs
          .map((back) => ({
            pair: `${front} on ${back}`,
            ratio: contrast(colorOf(front, appearance), colorOf(back, appearance)),
          }))
          .filter(({ ratio }) => ratio < least),
      ),
    )
    assert.deepEqual(low, [])
  })

  test(`${appearance}: the primary action is ink, focus and selection are blue, and danger is red`, () => {
    assert.ok(colorOf('primary', appearance).chroma < 0.02)
    assert.ok(Math.abs(colorOf('focus', appearance).hue - 255) < 10)
    assert.ok(Math.abs(colorOf('danger', appearance).hue - 29) < 10)
  })
}

test('every style uses only values that exist', () => {
  const files = globSync('**/*.{css,ts,tsx}', {
    cwd: import.meta.dirname,
    exclude: (name) => name === 'dist',
  }).map((file) => ({ file, text: readFileSync(new URL(file, import.meta.url), 'utf8') }))
  const known = new Set(files.flatMap(({ text }) => text.match(/--[\w-]+(?=:|')/g) ?? []))
  const unknown = files
    .filter(({ file }) => file.endsWith('.css'))
    .flatMap(({ file, text }) => [...text.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => ({ file, name })))
    .filter(({ name }) => !known.has(name as string))
  assert.deepEqual(unknown, [])
})
