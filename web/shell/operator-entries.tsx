import {
  Building2,
  ChartNoAxesColumn,
  CircleUser,
  CreditCard,
  LayoutTemplate,
  Palette,
  ScrollText,
  Send,
} from 'lucide-react'
import { isBillingSuperadmin } from '../identity/permissions.ts'
import { t } from '../words/words.ts'
import type { Entry } from './entries.tsx'

/** The links of the operator's sidebar. */
export const operatorEntries: readonly Entry[] = [
  { label: t('Overview'), path: '', icon: <ChartNoAxesColumn />, section: 'main' },
  { label: t('Projects'), path: '/projects', icon: <Building2 />, section: 'main' },
  { label: t('Templates'), path: '/templates', icon: <LayoutTemplate />, section: 'main' },
  { label: t('Rollouts'), path: '/rollouts', icon: <Send />, section: 'main' },
  { label: t('Themes'), path: '/themes', icon: <Palette />, section: 'main' },
  {
    label: t('Subscriptions'),
    path: '/subscriptions',
    icon: <CreditCard />,
    section: 'main',
    isFor: isBillingSuperadmin,
  },
  { label: t('Audit'), path: '/audit', icon: <ScrollText />, section: 'main' },
  { label: t('Account'), path: '/account', icon: <CircleUser />, section: 'foot' },
]
