import type { Me } from './data/project.tsx'
import { isBillingSuperadmin, isSuperadmin } from './identity/permissions.ts'
import { loadable } from './ui/loadable.tsx'

export interface PageRoute {
  /** Relative to the project: `/boards` is `/p/1/boards`. */
  path: string
  page: ReturnType<typeof loadable<object>>
  /** Other people see that they cannot open the page. */
  isFor?(me: Me): boolean
}

/** Every page of a project, loaded when it is first opened. */
export const routes: readonly PageRoute[] = [
  { path: '/home', page: loadable(() => import('./boards/home/page.tsx')) },
  { path: '/boards', page: loadable(() => import('./boards/page.tsx')) },
  { path: '/boards/:board/*?', page: loadable(() => import('./boards/board/page.tsx')) },
  { path: '/inbox', page: loadable(() => import('./inbox/page.tsx')) },
  { path: '/my-cards', page: loadable(() => import('./boards/my-cards/page.tsx')) },
  { path: '/search', page: loadable(() => import('./boards/search/page.tsx')) },
  { path: '/trash', page: loadable(() => import('./boards/trash/page.tsx')) },
  { path: '/themes', page: loadable(() => import('./themes/page.tsx')) },
  {
    path: '/theme-reviews',
    page: loadable(() => import('./themes/reviews/page.tsx')),
    isFor: isSuperadmin,
  },
  {
    path: '/orders',
    page: loadable(() => import('./billing/orders/page.tsx')),
    isFor: isBillingSuperadmin,
  },
  { path: '/receipts/:receipt', page: loadable(() => import('./billing/receipts/page.tsx')) },
  { path: '/subscription', page: loadable(() => import('./billing/page.tsx')) },
  { path: '/templates', page: loadable(() => import('./templates/page.tsx')), isFor: isSuperadmin },
  {
    path: '/templates/:template/*?',
    page: loadable(() => import('./templates/template/page.tsx')),
    isFor: isSuperadmin,
  },
  {
    path: '/template-trash',
    page: loadable(() => import('./templates/trash/page.tsx')),
    isFor: isSuperadmin,
  },
  { path: '/rollouts', page: loadable(() => import('./templates/rollouts/page.tsx')), isFor: isSuperadmin },
  {
    path: '/rollouts/:rollout',
    page: loadable(() => import('./templates/rollouts/rollout/page.tsx')),
    isFor: isSuperadmin,
  },
  { path: '/members', page: loadable(() => import('./projects/members/page.tsx')) },
  { path: '/settings', page: loadable(() => import('./projects/settings/page.tsx')) },
  { path: '/audit-log', page: loadable(() => import('./identity/audit/page.tsx')) },
  { path: '/account', page: loadable(() => import('./identity/account/page.tsx')) },
]
