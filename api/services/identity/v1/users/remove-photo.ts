import { operation } from '#api/operation.ts'
import { nothing } from '#contract/schema.ts'
import { removePhoto } from '#identity/photos.ts'

export default operation({
  path: '/services/identity/v1/users/remove-photo',
  summary: 'Remove your photo; others see your initials again',
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'Your photo was removed.',
  output: nothing,
  failures: {},
  changes: true,
  async handle({ caller, db }) {
    await removePhoto(db, caller.id)
    return []
  },
})
