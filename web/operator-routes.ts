import { isBillingSuperadmin } from './identity/permissions.ts'
import type { PageRoute } from './routes.ts'
import { loadable } from './ui/loadable.tsx'

/** Every page of the operator's area; all of them are for superadmins, so others do not load the list. */
export const operatorRoutes: readonly PageRoute[] = [
  { path: '', page: loadable(() => import('./fleet/overview/page.tsx')) },
  { path: '/projects', page: loadable(() => import('./fleet/projects/page.tsx')) },
  { path: '/projects/audiences', page: loadable(() => import('./fleet/audiences/page.tsx')) },
  { path: '/projects/:project', page: loadable(() => import('./fleet/project/page.tsx')) },
  { path: '/templates', page: loadable(() => import('./templates/page.tsx')) },
  { path: '/templates/:template/customized', page: loadable(() => import('./fleet/customized/page.tsx')) },
  {
    path: '/templates/:template/cards/:card/delete',
    page: loadable(() => import('./templates/rollouts/plan/deletion-page.tsx')),
  },
  { path: '/templates/:template/*?', page: loadable(() => import('./templates/template/page.tsx')) },
  { path: '/template-trash', page: loadable(() => import('./templates/trash/page.tsx')) },
  { path: '/roll-ups/:template', page: loadable(() => import('./fleet/roll-up/page.tsx')) },
  { path: '/rollouts', page: loadable(() => import('./templates/rollouts/page.tsx')) },
  { path: '/rollouts/new', page: loadable(() => import('./templates/rollouts/plan/page.tsx')) },
  {
    path: '/rollouts/:rollout/revert',
    page: loadable(() => import('./templates/rollouts/plan/revert-page.tsx')),
  },
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
  { path: '/audit', page: loadable(() => import('./audit/page.tsx')) },
  { path: '/account', page: loadable(() => import('./identity/account/page.tsx')) },
]
