import type { Output, themes } from '../data/client.ts'

export type ThemeVersion = Output<`${typeof themes}/versions/list`>['versions'][number]
export type OfferedVersion = Output<`${typeof themes}/versions/browse`>['versions'][number]
export type Deprecation = NonNullable<Output<`${typeof themes}/versions/chosen`>['deprecation']>
