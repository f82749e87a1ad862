import { formerMember } from '#identity/former-member.ts'
import type { admin, Output } from '../data/client.ts'
import { personName } from '../ui/person-name.ts'
import { Ago } from '../ui/time.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'

type Stopped = Output<`${typeof admin}/projects/list-customized`>['cards'][number]['updates_stopped']

/** That a project stopped the updates of a card; who did it and when, if its history says so. */
export const StoppedUpdates = ({ stopped }: { stopped: Stopped }) =>
  stopped === null
    ? t('Stopped')
    : rich('Stopped by {person}, {time}', {
        person: <bdi>{personName(stopped.by_name ?? formerMember)}</bdi>,
        time: <Ago at={stopped.at} />,
      })
