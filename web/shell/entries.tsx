import {
  CircleUser,
  Columns3,
  CreditCard,
  House,
  Inbox,
  ListTodo,
  Palette,
  ScrollText,
  Search,
  Settings,
  Trash2,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Me } from '../data/project.tsx'
import { maySeeAuditLog, seesMembers } from '../identity/permissions.ts'
import { t } from '../words/words.ts'

export interface Entry {
  label: string
  /** Relative to the project or the operator's area, like the paths in routes.ts and operator-routes.ts. */
  path: string
  icon: ReactNode
  /** `foot` is at the bottom. */
  section: 'main' | 'foot'
  isFor?(me: Me): boolean
}

/** The links of a project's sidebar, in order; a new page adds a line here and in routes.ts. */
export const entries: readonly Entry[] = [
  { label: t('Home'), path: '/home', icon: <House />, section: 'main' },
  { label: t('Inbox'), path: '/inbox', icon: <Inbox />, section: 'main' },
  { label: t('Boards'), path: '/boards', icon: <Columns3 />, section: 'main' },
  { label: t('My cards'), path: '/my-cards', icon: <ListTodo />, section: 'main' },
  { label: t('Search'), path: '/search', icon: <Search />, section: 'main' },
  { label: t('Themes'), path: '/themes', icon: <Palette />, section: 'main' },
  { label: t('Trash'), path: '/trash', icon: <Trash2 />, section: 'main' },
  { label: t('Members'), path: '/members', icon: <Users />, section: 'foot', isFor: seesMembers },
  { label: t('Project settings'), path: '/settings', icon: <Settings />, section: 'foot' },
  { label: t('Subscription'), path: '/subscription', icon: <CreditCard />, section: 'foot' },
  {
    label: t('Audit log'),
    path: '/audit-log',
    icon: <ScrollText />,
    section: 'foot',
    isFor: maySeeAuditLog,
  },
  { label: t('Account'), path: '/account', icon: <CircleUser />, section: 'foot' },
]
