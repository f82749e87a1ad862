/** Declared by operations that change views. */
export const onlyOwnViews = {
  only_own_views: 'Your role allows only views of your own.',
} as const
