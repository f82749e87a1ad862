import type { Database } from '#database/connect.ts'
import { reportResults } from '#evaluations/reporting.ts'
import { changeProject } from '#projects/changing.ts'

interface DemoWebsite {
  project: string
  websiteUrl: string
  results: readonly { check: string; passed: boolean; detail: string }[]
}

/** No check of the demo is one that Cardinal runs itself, because these addresses do not exist. */
const websites: readonly DemoWebsite[] = [
  {
    project: 'Acme',
    websiteUrl: 'https://www.acme.test/',
    results: [
      { check: 'website.has_imprint', passed: true, detail: 'Found at /imprint' },
      { check: 'website.has_domain', passed: true, detail: 'www.acme.test has a valid certificate' },
      { check: 'website.has_site_map', passed: false, detail: 'There is no page at /sitemap.xml' },
    ],
  },
  {
    project: 'Blue',
    websiteUrl: 'https://blue.test/',
    results: [
      { check: 'website.has_imprint', passed: false, detail: 'No link to an imprint on the home page' },
      { check: 'website.has_domain', passed: true, detail: 'blue.test has a valid certificate' },
    ],
  },
]

/** Adds websites and the results of their checks, reported by the first member of each project. */
export async function seedChecks(
  db: Database,
  projectIds: ReadonlyMap<string, number>,
  members: ReadonlyMap<string, readonly { id: number }[]>,
): Promise<void> {
  for (const { project, websiteUrl, results } of websites) {
    const projectId = projectIds.get(project) as number
    const actorId = members.get(project)?.[0]?.id as number
    await changeProject(db, { projectId, actorId }, { website_url: websiteUrl })
    await reportResults(
      db,
      results.map((result) => ({ projectId, ...result })),
      actorId,
    )
  }
}
