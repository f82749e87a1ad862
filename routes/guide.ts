// The short guide for programs at /llms.txt, and the links at the base path.

const operations = '/services/operations/v2/operations'

/** `origin` is the address of the service without a path. */
export const linksOf = (origin: string, base: string) => ({
  reference: `${origin}${base}/docs`,
  openapi: `${origin}${base}/openapi.json`,
  guide: `${origin}/llms.txt`,
  authenticate: `${origin}${base}/v1/authenticate`,
  health: `${origin}${base}/health/ready`,
})

export function guideOf(origin: string, base: string): string {
  const { reference, openapi, health } = linksOf(origin, base)
  return `# Cardinal

> Task boards for operators who run work across many customer projects: boards have groups, groups have cards, and templates are rolled out to
> every project. Everything is done with one HTTP API.

- [OpenAPI 3.1](${openapi}): every operation with its input, results, statuses and error codes
- [Reference](${reference}): the same for people
- [Health](${health}): 200 while the service can answer

## Calling it

Every operation is a POST with a JSON object as body. Sign in with the email and password of an account; every other call needs the token:

\`\`\`sh
export CARDINAL_URL=${origin}${base}
TOKEN=$(curl -s "$CARDINAL_URL/v1/authenticate" -H 'Content-Type: application/json' \\
  -d "{\\"email\\":\\"$EMAIL\\",\\"password\\":\\"$PASSWORD\\"}" | grep -o 'cardinal_[^"]*')

# Who you are, and in which projects
curl -s -X POST "$CARDINAL_URL/services/identity/v2/users/me" -H "Authorization: Bearer $TOKEN"

# The boards of your project; boards/get with the id of one answers with its groups and cards
curl -s -X POST "$CARDINAL_URL${operations}/boards/list" -H "Authorization: Bearer $TOKEN"

# A card in the first group of the first board
curl -s "$CARDINAL_URL${operations}/cards/create" -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -H "Idempotency-Key: $(date +%s%N)" -d '{"title":"Water the plants","due_date":"2030-01-31"}'
\`\`\`

## Rules

- Use v2 (\`/v2/\` in the path). v1 has the same operations and sends some results as JSON text.
- Success is \`{"error":false,"message":…,"data":…}\`. A refusal has a stable code in the header \`X-Error-Code\`, and at v2 as \`code\` in the body;
  422 also has \`errors\` and \`codes\` by field. Compare codes, show messages; they are in the language that the caller chose, else of \`Accept-Language\`.
- An operation on a thing acts in the thing's project; any other acts in the project of the header \`X-Project-Id\`, else in your default project.
- 403 at sign-in means that the account needs a two-factor code (\`code\`), or is disabled.
- 429 has \`Retry-After\` in seconds. Every answer has \`X-RateLimit-Limit\` and \`X-RateLimit-Remaining\`.
- Send an \`Idempotency-Key\` with a write that you may repeat: the same request gets the same answer for 24 hours.
- In updates, an absent field stays as it is and null clears it. Timestamps are ISO 8601; a plain date is midnight UTC.
- Lists have pages: send \`next_cursor\` back as \`cursor\` until it is null.
- \`GET ${base}/services/operations/v1/operations/events/stream\` sends changes as server-sent events.
`
}
