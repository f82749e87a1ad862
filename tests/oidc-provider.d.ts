// The parts of the provider that tests use; it has no types of its own.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  interface Context {
    path: string
    req: IncomingMessage
    res: ServerResponse
    body?: { id_token?: string }
  }

  export default class Provider {
    constructor(
      issuer: string,
      configuration: Record<string, unknown> & {
        interactions: { url(context: Context, interaction: { uid: string }): string }
        findAccount(
          context: Context,
          id: string,
        ): { accountId: string; claims(): Promise<Record<string, unknown>> }
      },
    )
    use(middleware: (context: Context, next: () => Promise<void>) => Promise<unknown>): void
    callback(): (request: IncomingMessage, response: ServerResponse) => void
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ prompt: { name: string } }>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options?: { mergeWithLastSubmission: boolean },
    ): Promise<void>
    Grant: new (options: {
      accountId: string
      clientId: string
    }) => {
      addOIDCScope(scope: string): void
      save(): Promise<string>
    }
  }
}
