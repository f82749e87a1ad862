import {
  Ban,
  CreditCard,
  FolderX,
  KeyRound,
  LayoutTemplate,
  LifeBuoy,
  LogIn,
  Mail,
  Palette,
  Send,
  ShieldAlert,
  Terminal,
  UserCog,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Choice } from '../ui/picker.tsx'
import { t } from '../words/words.ts'
import { type AuditKind, isWorrying, kindNames } from './kinds.ts'

type Subject = AuditKind extends `${infer Before}.${string}` ? Before : never

const signIn = { name: t('Sign-in'), icon: <LogIn /> }
const secrets = { name: t('Password, two-factor authentication and passkeys'), icon: <KeyRound /> }

const members = { name: t('Members'), icon: <Users /> }

const sections: Readonly<Record<Subject, { name: string; icon: ReactNode }>> = {
  sign_in: signIn,
  reauthentication: signIn,
  session: signIn,
  sessions: signIn,
  password: secrets,
  second_factor: secrets,
  passkey: secrets,
  single_sign_on: signIn,
  user: { name: t('Accounts'), icon: <UserCog /> },
  email: { name: t('Email'), icon: <Mail /> },
  member: members,
  invitation: members,
  project: { name: t('Projects'), icon: <FolderX /> },
  template: { name: t('Templates'), icon: <LayoutTemplate /> },
  rollout: { name: t('Rollouts'), icon: <Send /> },
  trial: { name: t('Subscriptions'), icon: <CreditCard /> },
  theme: { name: t('Themes'), icon: <Palette /> },
  support: { name: t('Support'), icon: <LifeBuoy /> },
  access: { name: t('Access'), icon: <Ban /> },
  command: { name: t('Command line'), icon: <Terminal /> },
}

const sectionOf = (kind: AuditKind) => sections[kind.split('.')[0] as Subject]

export const kindIcon = (kind: AuditKind): ReactNode =>
  isWorrying(kind) ? <ShieldAlert /> : sectionOf(kind).icon

/** The choices of the filter, in sections; the empty one stands for all. */
export const kindChoices: readonly Choice<AuditKind | ''>[] = [
  { id: '', label: t('Everything') },
  ...Object.entries(kindNames).map(([name, label]) => {
    const kind = name as AuditKind
    return { id: kind, label, section: sectionOf(kind).name, icon: kindIcon(kind) }
  }),
]
