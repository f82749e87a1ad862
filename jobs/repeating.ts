// Every job that repeats, with how often; service.ts hands them to the queue.
import { forgetAudit } from '#audit/forgetting.ts'
import type { Billing } from '#billing/billing.ts'
import { followOrders } from '#billing/following-orders.ts'
import type { Config } from '#config.ts'
import { addUpCoverage } from '#coverage/counts.ts'
import type { Database } from '#database/connect.ts'
import { checkWebsites } from '#evaluations/checking-websites.ts'
import { allowedAddresses } from '#evaluations/look.ts'
import { forgetEvents } from '#events/forgetting.ts'
import type { Rounds } from '#events/rounds.ts'
import { catchUpFigures } from '#fleet/follower.ts'
import { answerResetRequests } from '#identity/resetting-password.ts'
import type { Secrets } from '#identity/secrets.ts'
import { shortenSessions } from '#identity/sessions.ts'
import { answerSignUpRequests } from '#identity/signing-up.ts'
import { sendDigests } from '#inbox/digesting.ts'
import { catchUp } from '#inbox/follower.ts'
import { forgetItems } from '#inbox/forgetting.ts'
import type { Tell } from '#inbox/item.ts'
import { mailInboxes } from '#inbox/mailing.ts'
import { remind } from '#inbox/reminding.ts'
import type { Mail } from '#mail/mail.ts'
import { openWay } from '#mail/outbox.ts'
import { followCampaigns } from '#themes/campaign/following.ts'
import { housekeeping } from './housekeeping.ts'
import type { JobKind } from './queue.ts'

interface Parts {
  config: Config
  orders: Billing['orders']
  mail: Mail
  secrets: Secrets
  tell: Tell
  /** Has the inbox follow these projects. */
  announce: Rounds['announce']
}

export const repeatingJobs = (parts: Parts): Record<string, JobKind> => ({
  ...housekeeping,
  ...usualJobs(parts),
  ...(parts.config.inbox && inboxJobs(parts)),
  ...(parts.config.figures && { catchUpFigures: { work: catchUpFigures, everySeconds: 60 } }),
})

function usualJobs({ config, orders, mail, secrets }: Parts): Record<string, JobKind> {
  const allows = allowedAddresses({ allowsPrivate: config.checksPrivateAddresses })
  return {
    sendMails: {
      async work(db, task) {
        await answerResetRequests(db, { ...task, secrets })
        await answerSignUpRequests(db, { ...task, secrets })
        await mail.send(db, task)
      },
      everySeconds: 3,
    },
    followThemeCampaigns: {
      work: (db, { signal }) => followCampaigns(db, { quotas: config.quotas, signal }),
      everySeconds: 5,
    },
    checkWebsites: { work: (db, task) => checkWebsites(db, { ...task, allows }), everySeconds: 30 },
    addUpCoverage: { work: addUpCoverage, everySeconds: 30 },
    followOrders: { work: (db) => followOrders(db, orders), everySeconds: 3_600 },
    shortenSessions: { work: (db) => shortenSessions(db, config.sessions), everySeconds: 3_600 },
    forgetInboxItems: { work: forgetItems, everySeconds: 3_600 },
    forgetAudit: { work: forgetAudit, everySeconds: 3_600 },
    forgetEvents: {
      work: (db, { signal }) => forgetEvents(db, { days: config.eventDays, signal }),
      everySeconds: 86_400,
    },
  }
}

function inboxJobs({ mail, tell, announce }: Parts): Record<string, JobKind> {
  const mailing = async (db: Database) => {
    const way = await openWay(db, mail.way)
    return { canMail: way !== 'none', includesDemo: way === 'outbox' }
  }
  return {
    mailInboxes: {
      work: async (db, { signal }) => mailInboxes(db, { ...(await mailing(db)), signal }),
      everySeconds: 15,
    },
    catchUpInboxes: { work: (db) => catchUp(db, announce), everySeconds: 30 },
    sendDigests: {
      work: async (db, { signal }) => sendDigests(db, { ...(await mailing(db)), signal }),
      everySeconds: 60,
    },
    remind: { work: (db, { signal }) => remind(db, { tell, signal }), everySeconds: 60 },
  }
}
