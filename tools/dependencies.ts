// Judges package-lock.json without a network: licenses, origin, and versions that are known to be bad. `npm audit` knows more, but asks the registry.

export interface Lock {
  packages: Record<
    string,
    { version?: string; license?: string; resolved?: string; integrity?: string; dev?: boolean }
  >
}

const allowed = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'PSF-2.0',
  'Unlicense',
  // Fonts only.
  'OFL-1.1',
])
/** Tools may have a license that binds those who pass their code on, because we do not. */
const allowedForTools = new Set([...allowed, 'MPL-2.0'])

interface Bad {
  name: string
  /** The first bad version, and the first good one after it. */
  from: string
  until: string
  advisory: string
}

/** Of packages that we use. Add one when an advisory makes us update; an older copy then cannot come back unnoticed. */
const knownBad: readonly Bad[] = [
  { name: '@babel/runtime', from: '0.0.0', until: '7.26.10', advisory: 'CVE-2025-27789' },
  { name: 'cookie', from: '0.0.0', until: '0.7.0', advisory: 'CVE-2024-47764' },
  // Malware that was published with stolen credentials.
  { name: 'debug', from: '4.4.2', until: '4.4.3', advisory: 'CVE-2025-59144' },
  { name: 'dompurify', from: '0.0.0', until: '3.2.4', advisory: 'CVE-2025-26791' },
  { name: 'fastify', from: '5.0.0', until: '5.3.2', advisory: 'CVE-2025-32442' },
  { name: 'fastify', from: '5.7.2', until: '5.8.1', advisory: 'CVE-2026-3419' },
  { name: 'find-my-way', from: '5.5.0', until: '8.2.2', advisory: 'CVE-2024-45813' },
  { name: 'find-my-way', from: '9.0.0', until: '9.0.1', advisory: 'CVE-2024-45813' },
  { name: 'js-yaml', from: '4.0.0', until: '4.1.1', advisory: 'CVE-2025-64718' },
  { name: 'minimist', from: '0.0.0', until: '1.2.6', advisory: 'CVE-2021-44906' },
  { name: 'nanoid', from: '0.0.0', until: '3.3.8', advisory: 'CVE-2024-55565' },
  { name: 'postcss', from: '0.0.0', until: '8.4.31', advisory: 'CVE-2023-44270' },
  { name: 'semver', from: '7.0.0', until: '7.5.2', advisory: 'CVE-2022-25883' },
  { name: 'vite', from: '6.2.0', until: '6.2.3', advisory: 'CVE-2025-30208' },
]

/** Our lock file names no addresses: npm asks the registry of the machine, and the checksum decides. */
const registry = 'https://registry.npmjs.org/'

/** One sentence for each package that may not be used. */
export function problemsOf({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(
    ([path, { version = '', license = '', resolved, integrity, dev }]) => {
      const name = path.split('node_modules/').at(-1) as string
      if (path === '') return []
      const one = `${name}@${version}`
      const bad = knownBad.find((entry) => entry.name === name && isWithin(version, entry))
      return [
        ...(isAllowed(license, dev ? allowedForTools : allowed)
          ? []
          : [`${one} has the license "${license}", which is not on the list`]),
        ...((resolved ?? registry).startsWith(registry) && integrity?.startsWith('sha512-')
          ? []
          : [`${one} does not come from ${registry} with a SHA-512`]),
        ...(bad ? [`${one} is known to be bad (${bad.advisory}); ${bad.until} is not`] : []),
      ]
    },
  )
}

/** An expression with several licenses lets us choose one. */
const isAllowed = (license: string, licenses: ReadonlySet<string>) =>
  license
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => licenses.has(choice))

const isWithin = (version: string, { from, until }: Bad) =>
  compare(version, from) >= 0 && compare(version, until) < 0

/** Compares the three numbers; a preview counts as its release. */
function compare(one: string, two: string): number {
  const numbers = (version: string) => version.split(/[.+-]/).slice(0, 3).map(Number)
  const [left, right] = [numbers(one), numbers(two)]
  return left.map((number, index) => number - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0
}
