import type { Role } from '#identity/roles.ts'
import type { Language } from '#languages/known.ts'

export const demoPassword = 'demo-password'

export const demoProjects = [
  { name: 'Acme', toolKeys: ['website', 'shop'] },
  { name: 'Blue', toolKeys: ['website'] },
  { name: 'Cedar', toolKeys: ['website'] },
] as const

/** The second platform; demo/second-platform.ts fills it. */
export const secondPlatform = 'Nordwind'
export const secondPlatformProjects = ['Elm', 'Fir'] as const

type ProjectName = (typeof demoProjects)[number]['name'] | (typeof secondPlatformProjects)[number]

interface DemoAccount {
  email: string
  name: string
  note: string
  /** The default project, and the role there; superadmins need none. */
  project: ProjectName
  role?: Role
  superadmin?: true
  /** The browser's unless given. */
  language?: Language
  totpSecret?: string
  recoveryCodes?: string[]
}

export const firstPlatformAccounts: readonly DemoAccount[] = [
  {
    email: 'superadmin@cardinal.test',
    name: 'Sofia Reyes',
    note: 'superadmin',
    project: 'Acme',
    superadmin: true,
  },
  { email: 'owner@acme.test', name: 'Olivia Park', note: 'owner of Acme', project: 'Acme', role: 'owner' },
  { email: 'admin@acme.test', name: 'Adam Novak', note: 'admin of Acme', project: 'Acme', role: 'admin' },
  { email: 'member@acme.test', name: 'Mina Sato', note: 'member of Acme', project: 'Acme', role: 'member' },
  { email: 'viewer@acme.test', name: 'Victor Hale', note: 'viewer of Acme', project: 'Acme', role: 'viewer' },
  {
    email: 'secure@acme.test',
    name: 'Sana Aziz',
    note: 'member of Acme with two-factor authentication: secret JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP, recovery codes demo-0001 … demo-0010',
    project: 'Acme',
    role: 'member',
    totpSecret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
    recoveryCodes: Array.from({ length: 10 }, (_, index) => `demo-${String(index + 1).padStart(4, '0')}`),
  },
  { email: 'owner@blue.test', name: 'Ben Carter', note: 'owner of Blue', project: 'Blue', role: 'owner' },
  {
    email: 'owner@cedar.test',
    name: 'Chloe Martin',
    note: 'owner of Cedar',
    project: 'Cedar',
    role: 'owner',
  },
  {
    email: 'german@acme.test',
    name: 'Lena Vogt',
    note: 'member of Acme who reads German',
    project: 'Acme',
    role: 'member',
    language: 'de',
  },
]

export const secondSuperadmin: DemoAccount = {
  email: 'superadmin@nordwind.test',
  name: 'Nils Berg',
  note: `superadmin of the platform ${secondPlatform} only`,
  project: 'Elm',
  superadmin: true,
}

export const secondOwner: DemoAccount = {
  email: 'owner@elm.test',
  name: 'Elin Dahl',
  note: `owner of Elm, on the platform ${secondPlatform}`,
  project: 'Elm',
  role: 'owner',
}

export const demoAccounts: readonly DemoAccount[] = [...firstPlatformAccounts, secondSuperadmin, secondOwner]
