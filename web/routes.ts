import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { isSuperadmin } from './data/project.tsx'
import type { Me } from './data/types.ts'

interface PageRoute {
  /** Below the project: `/boards` is at `/p/1/boards`. */
  path: string
  page: LazyExoticComponent<ComponentType>
  /** Others are told that the page is not for them. */
  isFor?(me: Me): boolean
}

/** Every page of a project, each in a file of its own that is loaded when it is opened. */
export const routes: readonly PageRoute[] = [
  { path: '/boards', page: lazy(() => import('./pages/boards/page.tsx')) },
  { path: '/boards/:board/*?', page: lazy(() => import('./pages/boards/board/page.tsx')) },
  { path: '/my-cards', page: lazy(() => import('./pages/my-cards/page.tsx')) },
  { path: '/search', page: lazy(() => import('./pages/search/page.tsx')) },
  { path: '/trash', page: lazy(() => import('./pages/trash/page.tsx')) },
  { path: '/templates', page: lazy(() => import('./pages/templates/page.tsx')), isFor: isSuperadmin },
  {
    path: '/templates/:template/*?',
    page: lazy(() => import('./pages/templates/template/page.tsx')),
    isFor: isSuperadmin,
  },
  { path: '/pushes', page: lazy(() => import('./pages/pushes/page.tsx')), isFor: isSuperadmin },
  { path: '/pushes/:push', page: lazy(() => import('./pages/pushes/push/page.tsx')), isFor: isSuperadmin },
  { path: '/account', page: lazy(() => import('./pages/account/page.tsx')) },
]
