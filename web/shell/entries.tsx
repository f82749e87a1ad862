import {
  CircleUser,
  Columns3,
  CreditCard,
  House,
  Inbox,
  LayoutTemplate,
  ListTodo,
  Palette,
  Receipt,
  ScrollText,
  Search,
  Send,
  Settings,
  Stamp,
  Trash2,
  Users,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Me } from '../data/project.tsx'
import {
  isBillingSuperadmin,
  isSuperadmin,
  mayManageMembers,
  maySeeAuditLog,
} from '../identity/permissions.ts'
import { t } from '../words/words.ts'

interface Entry {
  label: string
  /** Relative to the project, like the paths in routes.ts. */
  path: string
  icon: ReactNode
  /** `superadmin` entries have their own section; `foot` is at the bottom. */
  section: 'project' | 'superadmin' | 'foot'
  isFor?(me: Me): boolean
}

/** The links of the sidebar, in order; a new page adds a line here and in routes.ts. */
export const entries: readonly Entry[] = [
  { label: t('Home'), path: '/home', icon: <House />, section: 'project' },
  { label: t('Inbox'), path: '/inbox', icon: <Inbox />, section: 'project' },
  { label: t('Boards'), path: '/boards', icon: <Columns3 />, section: 'project' },
  { label: t('My cards'), path: '/my-cards', icon: <ListTodo />, section: 'project' },
  { label: t('Search'), path: '/search', icon: <Search />, section: 'project' },
  { label: t('Themes'), path: '/themes', icon: <Palette />, section: 'project' },
  { label: t('Trash'), path: '/trash', icon: <Trash2 />, section: 'project' },
  {
    label: t('Templates'),
    path: '/templates',
    icon: <LayoutTemplate />,
    section: 'superadmin',
    isFor: isSuperadmin,
  },
  { label: t('Rollouts'), path: '/rollouts', icon: <Send />, section: 'superadmin', isFor: isSuperadmin },
  {
    label: t('Theme reviews'),
    path: '/theme-reviews',
    icon: <Stamp />,
    section: 'superadmin',
    isFor: isSuperadmin,
  },
  {
    label: t('Orders'),
    path: '/orders',
    icon: <Receipt />,
    section: 'superadmin',
    isFor: isBillingSuperadmin,
  },
  { label: t('Members'), path: '/members', icon: <Users />, section: 'foot', isFor: mayManageMembers },
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
