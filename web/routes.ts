import type { Me } from './data/project.tsx'
import { isBillingSuperadmin } from './identity/permissions.ts'
import { loadable } from './ui/loadable.tsx'

export interface PageRoute {
  /** Relative to the project or the operator's area: `/boards` is `/p/1/boards`, `/templates` is `/operator/templates`. */
  path: string
  page: ReturnType<typeof loadable<object>>
  /** Others see that they cannot open the page. */
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
  { path: '/receipts/:receipt', page: loadable(() => import('./billing/receipts/page.tsx')) },
  { path: '/subscription', page: loadable(() => import('./billing/page.tsx')) },
  { path: '/members', page: loadable(() => import('./projects/members/page.tsx')) },
  { path: '/settings', page: loadable(() => import('./projects/settings/page.tsx')) },
  { path: '/audit-log', page: loadable(() => import('./identity/audit/page.tsx')) },
  { path: '/account', page: loadable(() => import('./identity/account/page.tsx')) },
]

/** Every page of the operator's area; all of them are for superadmins. */
export const operatorRoutes: readonly PageRoute[] = [
  { path: '', page: loadable(() => import('./fleet/overview/page.tsx')) },
  { path: '/projects', page: loadable(() => import('./fleet/projects/page.tsx')) },
  { path: '/projects/audiences', page: loadable(() => import('./fleet/audiences/page.tsx')) },
  { path: '/projects/:project', page: loadable(() => import('./fleet/project/page.tsx')) },
  { path: '/templates', page: loadable(() => import('./templates/page.tsx')) },
  { path: '/templates/:template/customized', page: loadable(() => import('./fleet/customized/page.tsx')) },
  { path: '/templates/:template/*?', page: loadable(() => import('./templates/template/page.tsx')) },
  { path: '/template-trash', page: loadable(() => import('./templates/trash/page.tsx')) },
  { path: '/roll-ups/:template', page: loadable(() => import('./fleet/roll-up/page.tsx')) },
  { path: '/rollouts', page: loadable(() => import('./templates/rollouts/page.tsx')) },
  { path: '/rollouts/new', page: loadable(() => import('./templates/rollouts/plan/page.tsx')) },
  { path: '/rollouts/:rollout', page: loadable(() => import('./templates/rollouts/rollout/page.tsx')) },
  { path: '/themes', page: loadable(() => import('./themes/reviews/page.tsx')) },
  {
    path: '/subscriptions',
    page: loadable(() => import('./fleet/subscriptions/page.tsx')),
    isFor: isBillingSuperadmin,
  },
  {
    path: '/orders',
    page: loadable(() => import('./billing/orders/page.tsx')),
    isFor: isBillingSuperadmin,
  },
  { path: '/audit', page: loadable(() => import('./identity/audit/page.tsx')) },
  { path: '/account', page: loadable(() => import('./identity/account/page.tsx')) },
]

/** Where pages of superadmins were, inside of a project, in earlier versions; links may still have these addresses. */
export const movedToOperator: Readonly<Record<string, string>> = {
  '/templates': '/templates',
  '/rollouts': '/rollouts',
  '/pushes': '/rollouts',
  '/template-trash': '/template-trash',
  '/theme-reviews': '/themes',
  '/orders': '/orders',
}
