import { operations } from '#api/registry.ts'
import { codesIn } from '#contract/codes.ts'
import { type Failures, keyFailures, usual } from '#contract/failure.ts'
import { type Description, statusesOf } from '#contract/operation.ts'
import { type Decision, v2Path } from '#contract/router.ts'
import { credentialFailures, unprotectedFailures } from '#identity/caller.ts'

/** What no test sees, in the form of `expected`; this list may only shrink. */
const exceptions: readonly string[] = [
  // Cannot happen: a checkout of another provider is replaced without asking it. The declaration is the one of cancel and resume.
  '/services/platforms/v1/subscriptions/upgrade-trial 500 payment_provider_missing by its handler',
  // Needs a request that has written to wait 30 seconds for its next turn.
  'code cut_short',
]

/** What tests have to see of an operation, and the lines of `seen` of which any shows it. */
function expected(operation: Description): [string, string[]][] {
  const { path, success, failures, beforehand } = operation
  const inEither = (line: string) => [`${path} ${line}`, `${v2Path(path)} ${line}`]
  return [
    ...[path, v2Path(path)].map((at): [string, string[]] => [`${at} ${success}`, [`${at} ${success}`]]),
    ...statusesOf(operation).map((status): [string, string[]] => [
      `${path} ${status}`,
      inEither(String(status)),
    ]),
    ...[...declared(failures, 'handler'), ...declared(ofScope(beforehand), 'scope')].map(
      ([what, lines]): [string, string[]] => [`${path} ${what}`, lines.flatMap(inEither)],
    ),
  ]
}

/** Without the refusals of callers, which are the same everywhere and mostly come before it is known what a call acts on. */
const ofScope = ({
  400: _contradicting,
  401: _ended,
  403: forbidden = {},
  ...others
}: Failures): Failures => ({
  ...others,
  403: Object.fromEntries(Object.entries(forbidden).filter(([code]) => !(code in unprotectedFailures[403]))),
})

/** Each declared code. A limit of bytes is declared for every text field and reported on the longest text, so seeing it once is enough. */
function declared(failures: Failures, by: Decision['by']): [string, string[]][] {
  const lines = Object.keys(failures).flatMap((status) =>
    Object.keys(codesIn(failures, Number(status))).map((code) => `${status} ${code} by its ${by}`),
  )
  const isOfText = (line: string) => /^422 .*_limit_reached /.test(line)
  const ofTexts = lines.filter(isOfText)
  return [
    ...lines.filter((line) => !isOfText(line)).map((line): [string, string[]] => [line, [line]]),
    ...(ofTexts.length > 0 ? [[`422 limit_reached by its ${by}`, ofTexts] satisfies [string, string[]]] : []),
  ]
}

/** Codes that any operation may answer with. */
const machineCodes = [usual, keyFailures, credentialFailures, unprotectedFailures].flatMap((failures) =>
  Object.keys(failures).flatMap((status) => Object.keys(codesIn(failures, Number(status)))),
)

/** What is declared but was not seen, or undefined if everything was. */
export function unseenStatuses(seen: Set<string>): string | undefined {
  const all: [string, string[]][] = [
    ...operations.flatMap(expected),
    ...machineCodes.map((code): [string, string[]] => [`code ${code}`, [`code ${code}`]]),
  ]
  const unseen = new Set(
    all.filter(([, lines]) => !lines.some((line) => seen.has(line))).map(([what]) => what),
  )
  const lines = [
    ...[...unseen]
      .filter((what) => !exceptions.includes(what))
      .map((what) => `not seen by any test: ${what}`),
    ...exceptions.filter((what) => !unseen.has(what)).map((what) => `no longer an exception: ${what}`),
  ]
  return lines.length > 0 ? lines.join('\n') : undefined
}
