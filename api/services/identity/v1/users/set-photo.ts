import { operation } from '#api/operation.ts'
import { usual } from '#contract/failure.ts'
import { record, text } from '#contract/schema.ts'
import { mostPhotoBytes, photoPixels } from '#identity/photo-size.ts'
import { setPhoto } from '#identity/photos.ts'

export default operation({
  path: '/services/identity/v1/users/set-photo',
  summary: 'Set your photo; others see it instead of your initials',
  about: `Send it as it will be shown: a JPEG of ${photoPixels} × ${photoPixels} pixels with at most ${mostPhotoBytes / 1000} kB. Everything in it that is not the picture, such as where it was taken, is removed.`,
  audience: 'signed in',
  input: { photo: text({ max: 4 * Math.ceil(mostPhotoBytes / 3) }) },
  success: 200,
  message: 'Your photo was set.',
  output: record({ photo_url: text() }),
  failures: {
    401: usual[401],
    422: {
      photo: {
        not_a_photo: `The :attribute field must be a JPEG of ${photoPixels} × ${photoPixels} pixels in base64.`,
      },
    },
  },
  changes: true,
  async handle({ input, caller, db, fail }) {
    const url = await setPhoto(db, caller.id, input.photo)
    if (url === 'account closed') throw fail(401, 'unauthenticated')
    if (url === 'not a photo') throw fail(422, { photo: 'not_a_photo' })
    return { photo_url: url }
  },
})
