import { operations } from '#api/registry.ts'
import { type Description, scopeStatuses, statusesOf } from '#contract/operation.ts'
import { v2Path } from '#contract/router.ts'

/** What no test sees, in the form of `expected`; this list may only shrink. */
const exceptions: readonly string[] = [
  '/services/identity/v1/projects/create 201',
  '/services/identity/v1/projects/list 200',
  '/services/identity/v1/second-factor/begin 200',
  '/services/identity/v1/second-factor/begin 429 by its handler',
  '/services/identity/v1/second-factor/confirm 200',
  '/services/identity/v1/second-factor/disable 200',
  '/services/identity/v1/second-factor/disable 429 by its handler',
  '/services/identity/v1/second-factor/dismiss-warning 200',
  '/services/identity/v1/second-factor/regenerate-codes 200',
  '/services/identity/v1/second-factor/regenerate-codes 422 by its handler',
  '/services/identity/v1/second-factor/regenerate-codes 429 by its handler',
  '/services/identity/v1/sessions/list 200',
  '/services/identity/v1/sessions/revoke-all 200',
  '/services/identity/v1/setup/check 200',
  '/services/identity/v1/setup/complete 429 by its handler',
  '/services/identity/v1/setup/status 200',
  '/services/operations/v1/admin/master-cards/create 400 by its handler',
  '/services/operations/v1/admin/master-cards/delete 400 by its handler',
  '/services/operations/v1/admin/master-cards/move 200',
  '/services/operations/v1/admin/pushes/cancel 200',
  '/services/operations/v1/admin/pushes/get 200',
  '/services/operations/v1/admin/pushes/list 200',
  '/services/operations/v1/admin/pushes/retry 200',
  '/services/platforms/v1/plans/list 200',
  '/services/platforms/v1/subscriptions/extend-trial 200',
  '/services/platforms/v1/subscriptions/extend-trial 403 by its scope',
  '/services/websites/v1/themes/versions/approve 200',
  '/services/websites/v1/themes/versions/approve 403 by its scope',
  '/services/websites/v1/themes/versions/reject 200',
  '/services/websites/v1/themes/versions/reject 403 by its scope',
]

/** What tests have to see of an operation, and the lines of `seen` of which any shows it. */
function expected(operation: Description): [string, string[]][] {
  const { path, success, failures } = operation
  const inEither = (line: string) => [`${path} ${line}`, `${v2Path(path)} ${line}`]
  return [
    ...[path, v2Path(path)].map((at): [string, string[]] => [`${at} ${success}`, [`${at} ${success}`]]),
    ...statusesOf(operation).map((status): [string, string[]] => [
      `${path} ${status}`,
      inEither(String(status)),
    ]),
    ...[
      ...failures.map((status) => `${status} by its handler`),
      ...scopeStatuses(operation).map((status) => `${status} by its scope`),
    ].map((line): [string, string[]] => [`${path} ${line}`, inEither(line)]),
  ]
}

/** What is declared but was not seen, or undefined if everything was. */
export function unseenStatuses(seen: Set<string>): string | undefined {
  const declared = operations.flatMap(expected)
  const unseen = new Set(
    declared.filter(([, lines]) => !lines.some((line) => seen.has(line))).map(([what]) => what),
  )
  const lines = [
    ...[...unseen]
      .filter((what) => !exceptions.includes(what))
      .map((what) => `not seen by any test: ${what}`),
    ...exceptions.filter((what) => !unseen.has(what)).map((what) => `no longer an exception: ${what}`),
  ]
  return lines.length > 0 ? lines.join('\n') : undefined
}
