// Builds the web app and the service where their sources have changed since the last build; `npm start` and the tests run it first.
import { buildService } from './build-service.ts'
import { buildWeb } from './build-web.ts'

export async function build(): Promise<void> {
  await buildService()
  await buildWeb()
}

if (import.meta.main) await build()
