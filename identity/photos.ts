import { randomBytes } from 'node:crypto'
import type { Queries } from '#database/connect.ts'
import { cleanedJpeg } from './jpeg.ts'

/** Where photos are served (routes/photos.ts). */
export const photosPath = '/photos'

/** The address of the photo of the user `u`; null without one. */
export const photoColumn = `(select '${photosPath}/' || photo.key from user_photos photo where photo.user_id = u.id) as photo_url`

/** Stores a photo in base64, in place of the one before. Returns its address. */
export async function setPhoto(
  { sql }: Queries,
  userId: number,
  base64: string,
): Promise<string | 'not a photo' | 'account closed'> {
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(base64)
  const photo = isBase64 ? cleanedJpeg(Buffer.from(base64, 'base64')) : undefined
  if (!photo) return 'not a photo'
  const key = randomBytes(16).toString('hex')
  // Locked, so that nothing of a person is added while their account is being closed.
  const stored = await sql`
    insert into user_photos (user_id, key, photo)
    select id, ${key}, ${photo} from users where id = ${userId} and closed_at is null for no key update
    on conflict (user_id) do update set key = excluded.key, photo = excluded.photo returning user_id`
  return stored.length > 0 ? `${photosPath}/${key}` : 'account closed'
}

export async function removePhoto({ sql }: Queries, userId: number): Promise<void> {
  await sql`delete from user_photos where user_id = ${userId}`
}

export async function readPhoto({ sql }: Queries, key: string): Promise<Buffer | undefined> {
  if (!/^[0-9a-f]{32}$/.test(key)) return undefined
  const [found] = await sql<{ photo: Buffer }[]>`select photo from user_photos where key = ${key}`
  return found?.photo
}
