import { useQuery } from '@tanstack/react-query'
import { clientOf, identity } from '../data/client.ts'

/** Who is signed in, in whatever project. */
export const useMe = () =>
  useQuery({
    queryKey: [0, `${identity}/users/me`],
    queryFn: () => clientOf().call(`${identity}/users/me`),
  })
