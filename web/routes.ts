import type { Me } from './data/project.tsx'
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
  { path: '/audit-log', page: loadable(() => import('./audit/page.tsx')) },
  { path: '/account', page: loadable(() => import('./shell/account.tsx')) },
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
