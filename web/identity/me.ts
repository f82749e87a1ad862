import { useQuery } from '@tanstack/react-query'
import { clientOf, identity } from '../data/client.ts'

/** The signed-in user, without a project. */
export const useMe = ({ enabled = true } = {}) =>
  useQuery({
    enabled,
    queryKey: [0, `${identity}/users/me`],
    queryFn: () => clientOf().call(`${identity}/users/me`),
  })
