import { useQuery } from '@tanstack/react-query'
import { identity, type Output, signInClient } from '../data/client.ts'

const path = `${identity}/setup/status` as const

/** What people without a session may know of the installation. */
export const useInstallation = () =>
  useQuery({ queryKey: [0, path], queryFn: () => signInClient.call(path), retry: false })

export type MailWay = Output<typeof path>['mail']
