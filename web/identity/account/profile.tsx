import { type ChangeEvent, useRef, useState } from 'react'
import { mostPhotoBytes, photoPixels } from '#identity/photo-size.ts'
import { identity } from '../../data/client.ts'
import { useLostConnection, useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { dismissTopic, showProblem, showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'

/** Name and photo, as others see them. */
export function Profile() {
  const { me } = useProject()
  const offline = useLostConnection()
  const [name, setName] = useState(me.user.name)
  const saving = useWrite(`${identity}/users/update`, {
    failed: t('The name was not changed'),
    done: () => void showToast(t('Name changed')),
  })
  const isEmpty = name.trim() === ''
  const submit = () => {
    if (!isEmpty) saving.mutate({ name })
  }
  return (
    <section className="account-section" aria-labelledby="account-profile">
      <h2 id="account-profile">{t('Profile')}</h2>
      <Photo />
      <Form isBusy={saving.isPending} onSubmit={submit} noValidate>
        <Field
          label={t('Your name')}
          name="name"
          autoComplete="name"
          required
          maxLength={255}
          value={name}
          error={isEmpty ? t('Enter your name.') : undefined}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" refusal={offline} isBusy={saving.isPending}>
          {t('Change name')}
        </Button>
      </Form>
    </section>
  )
}

const topic = 'photo'

const mostFileBytes = 5_000_000

function Photo() {
  const { me } = useProject()
  const offline = useLostConnection()
  const input = useRef<HTMLInputElement>(null)
  const [isReading, setReading] = useState(false)
  const setting = useWrite(`${identity}/users/set-photo`, {
    failed: t('The photo was not changed'),
    done() {
      dismissTopic(topic)
      showToast(t('Photo changed'))
    },
  })
  const removing = useWrite(`${identity}/users/remove-photo`, {
    failed: t('The photo was not removed'),
    done: () => void showToast(t('Photo removed')),
  })
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // The same file can be chosen again.
    target.value = ''
    if (!file) return
    if (file.size > mostFileBytes) return showProblem(t('Choose a picture of at most 5 MB'), { topic })
    setReading(true)
    const photo = await smallPhoto(file).catch(() => undefined)
    setReading(false)
    if (photo === undefined)
      return showProblem(t("This file isn't a picture that your browser can read"), { topic })
    setting.mutate({ photo })
  }
  return (
    <div className="account-photo">
      <Avatar id={me.user.id} name={me.user.name} />
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={t('Photo')}
        onChange={(event) => void choose(event)}
      />
      <Button
        refusal={offline}
        isBusy={isReading || setting.isPending}
        onClick={() => input.current?.click()}
      >
        {me.user.photo_url === null ? t('Add photo…') : t('Change photo…')}
      </Button>
      {me.user.photo_url !== null && (
        <Button
          look="quiet"
          refusal={offline}
          isBusy={removing.isPending}
          onClick={() => removing.mutate({})}
        >
          {t('Remove photo')}
        </Button>
      )}
    </div>
  )
}

const qualities = [0.9, 0.75, 0.5]

/** The middle of a picture, as small as it is shown, in base64 and without anything that the camera wrote. */
async function smallPhoto(file: File): Promise<string | undefined> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
  const side = Math.min(picture.width, picture.height)
  const canvas = document.createElement('canvas')
  canvas.width = photoPixels
  canvas.height = photoPixels
  const context = canvas.getContext('2d')
  if (!context) return undefined
  // A JPEG has no transparency.
  context.fillStyle = 'white'
  context.fillRect(0, 0, photoPixels, photoPixels)
  context.imageSmoothingQuality = 'high'
  const [left, top] = [(picture.width - side) / 2, (picture.height - side) / 2]
  context.drawImage(picture, left, top, side, side, 0, 0, photoPixels, photoPixels)
  picture.close()
  for (const quality of qualities) {
    const base64 = canvas.toDataURL('image/jpeg', quality).split(',')[1] as string
    if (base64.length <= (mostPhotoBytes / 3) * 4) return base64
  }
  return undefined
}
