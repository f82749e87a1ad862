import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

interface PageRoute {
  /** Below the project: `/boards` is at `/p/1/boards`. */
  path: string
  page: LazyExoticComponent<ComponentType>
}

/** Every page of a project, each in a file of its own that is loaded when it is opened. */
export const routes: readonly PageRoute[] = [
  { path: '/boards', page: lazy(() => import('./pages/boards/page.tsx')) },
  { path: '/boards/:board/*?', page: lazy(() => import('./pages/boards/board/page.tsx')) },
  { path: '/my-cards', page: lazy(() => import('./pages/my-cards/page.tsx')) },
  { path: '/search', page: lazy(() => import('./pages/search/page.tsx')) },
  { path: '/trash', page: lazy(() => import('./pages/trash/page.tsx')) },
  { path: '/themes', page: lazy(() => import('./pages/themes/page.tsx')) },
  { path: '/theme-reviews', page: lazy(() => import('./pages/theme-reviews/page.tsx')) },
  { path: '/subscription', page: lazy(() => import('./pages/subscription/page.tsx')) },
  { path: '/account', page: lazy(() => import('./pages/account/page.tsx')) },
]
