// The texts of the demo boards. Each line is one card; demo/boards.ts gives it a group, people, dates and a history.
import type { Hue } from '#text/colors.ts'
import type { IconName } from '#text/icons.ts'

export interface DemoBoard {
  title: string
  description: string
  icon: IconName
  groups: readonly {
    title: string
    type?: string
    color: Hue
    icon?: IconName
    isArchived?: true
    /** The status of its cards. */
    status: string
    cards: readonly string[]
  }[]
}

export const demoTags: readonly { name: string; color: Hue; icon: IconName; isActive?: false }[] = [
  { name: 'Customer', color: 'blue', icon: 'user' },
  { name: 'Website', color: 'violet', icon: 'globe' },
  { name: 'Money', color: 'green', icon: 'coins' },
  { name: 'Legal', color: 'amber', icon: 'scale' },
  { name: 'Bug', color: 'red', icon: 'bug' },
  { name: 'Idea', color: 'teal', icon: 'lightbulb' },
  { name: 'Moving house', color: 'pink', icon: 'truck', isActive: false },
] as const

/** Second lines of cards, each of them true of any card. */
export const demoSummaries = [
  'Half an hour at most',
  'Waiting for an answer',
  'Quickest by phone',
  'Details are in the shared folder',
]

const dailyOperations: DemoBoard = {
  title: 'Daily operations',
  description: 'Everything that keeps the place running.',
  icon: 'kanban',
  groups: [
    {
      title: 'Inbox',
      type: 'todo',
      color: 'gray',
      icon: 'inbox',
      status: 'open',
      cards: [
        'Answer the landlord about the second parking space',
        'Customer asks whether invoices can be split by cost center',
        'Find out why the newsletter has 14 % bounces this month',
        'Ask the carrier for pick-up on Saturdays',
        'Collect opening hours for the holidays from every branch',
        'Reply to the journalist of the regional paper',
        'Someone cannot reset the password on the old portal',
        'Offer from the cleaning company is in the shared folder',
        'Decide whether we go to the spring trade fair',
        'Check the smoke detectors on the second floor',
        'Supplier wants to change to quarterly invoices',
        'Label printer prints every second label twice',
      ],
    },
    {
      title: 'This week',
      type: 'active',
      color: 'blue',
      icon: 'calendar',
      status: 'in_progress',
      cards: [
        'Send the offer to Lindqvist & Sons',
        'Renew the certificate of the shop',
        'Pay the advance for the trade fair booth',
        'Interview with the candidate for customer care',
        'Write the release note for the price change',
        'Fix the wrong VAT rate on bundles',
        'Replace the photo on the landing page',
        'Call back the three customers from Monday',
        'Order paper, toner and the blue folders',
        'Move the domain to the new registrar before it expires',
        'Translate the returns form into Dutch',
        'Check the numbers of October with the accountant',
        'Test the checkout with a gift card',
        'Prepare the agenda for the quarterly meeting',
      ],
    },
    {
      title: 'Waiting for others',
      type: 'waiting',
      color: 'violet',
      icon: 'clock',
      status: 'blocked',
      cards: [
        'Photographer delivers the retouched pictures',
        'Bank confirms the new account',
        'Legal reviews the terms for business customers',
        'Tax office answers about the delivery threshold',
        'Hosting provider looks into the slow nights',
        'Customer Brandt sends the signed contract',
        'Insurance sends the revised policy',
        'Designer sends the second round of icons',
      ],
    },
    {
      title: 'To check',
      color: 'amber',
      icon: 'search',
      status: 'to_check',
      cards: [
        'Read the new onboarding mail once more',
        'Compare the shipping prices with the contract',
        'Approve the banner for the autumn sale',
        'Verify that the backup can be restored',
        'Look over the job advertisement',
        'Check the accessibility report of the shop',
        'Confirm the seating plan for the customer evening',
      ],
    },
    {
      title: 'Done',
      type: 'done',
      color: 'green',
      icon: 'check',
      status: 'closed',
      cards: [
        'Hand over the keys to the new tenant',
        'Archive the contracts of last year',
        'Set up the second screen at the counter',
        'Send the thank-you cards',
        'Close the old email accounts',
        'Clean up the price list',
        'Update the imprint',
        'Return the rented projector',
        'Publish the interview on the blog',
        'Train two colleagues on the new till',
      ],
    },
  ],
}

const campaign: DemoBoard = {
  title: 'Spring campaign',
  description: 'From the first idea to the numbers afterwards.',
  icon: 'megaphone',
  groups: [
    {
      title: 'Ideas',
      type: 'todo',
      color: 'teal',
      icon: 'lightbulb',
      status: 'open',
      cards: [
        'A garden map that customers can fill in themselves',
        'Short film: one day in the greenhouse',
        'Voucher for those who bring back their pots',
        'Partner with the allotment association',
        'Quiz: which plant survives you?',
        'Stickers for bicycles',
        'A column by the head gardener',
        'Open door on the first warm Saturday',
        'Seeds as a thank-you in every parcel',
      ],
    },
    {
      title: 'In production',
      type: 'active',
      color: 'blue',
      icon: 'hammer',
      status: 'in_progress',
      cards: [
        'Landing page with the sowing calendar',
        'Mail series in four parts',
        'Poster for the branches, A1 and A3',
        'Product photos of the new seed range',
        'Texts for the 40 new products',
        'Radio spot, 20 seconds',
        'Landing page for business customers',
        'Coupon codes in the shop',
        'Window display for the main branch',
        'Briefing for the agency in Utrecht',
        'Landing page: measure the loading time on phones',
      ],
    },
    {
      title: 'Review',
      color: 'amber',
      icon: 'search',
      status: 'to_check',
      cards: [
        'Headline of the first mail',
        'Legal check of the competition',
        'Picture rights for the greenhouse series',
        'Prices in the flyer against the shop',
        'Spelling of the botanical names',
        'Contrast of the green buttons',
      ],
    },
    {
      title: 'Live',
      type: 'done',
      color: 'green',
      icon: 'megaphone',
      status: 'closed',
      cards: [
        'Teaser on the start page',
        'Announcement to the regulars',
        'Pre-order for the tomato set',
        'Event page on the association site',
        'Sign-up form for the workshop',
        'Notice at the tills',
        'Post about the soil without peat',
        'Reminder to the business customers',
        'Banner in the app',
        'Interview with the seed breeder',
        'First numbers to the team',
        'Handwritten labels in the branches',
        'Countdown in the window',
        'Autumn leftovers sold off',
      ],
    },
    {
      title: 'Ideas of last year',
      color: 'gray',
      icon: 'archive',
      isArchived: true,
      status: 'open',
      cards: [
        'Lend out hand carts on Saturdays',
        'A calendar with pictures by customers',
        'Plant swap in the parking lot',
      ],
    },
  ],
}

/** The boards of each project of the demo. */
export const demoBoards: Readonly<Record<string, readonly DemoBoard[]>> = {
  Acme: [dailyOperations, campaign],
  Blue: [dailyOperations],
  Cedar: [dailyOperations],
}

export const demoDescriptions = [
  '<p>What we know so far:</p><ul><li>it has to be done before the end of the month,</li><li>nobody else depends on it,</li><li>the last time took <strong>half a day</strong>.</li></ul>',
  '<p>See the folder <em>Shared › 2026 › Operations</em>. Keep the customer in copy.</p>',
  '<p>Two ways to do it; the first is quicker, the second cheaper. <a href="https://example.com/notes" rel="noopener nofollow">Notes from the call</a></p>',
  '<p>Who does what:</p><table><thead><tr><th>Step</th><th>Who</th><th>Until</th></tr></thead><tbody><tr><td>Collect what is there</td><td>Mina &amp; Adam</td><td>Tuesday</td></tr><tr><td>Decide</td><td>Olivia</td><td>Thursday</td></tr></tbody></table>',
  'Rule of thumb from R&D:\nif (cost < 500 && days > 10) wait for the next order.\nQuestions to <orders@example.com>',
] as const

export const demoThreads = [
  ['Who takes this?', 'I can, but not before Thursday.', 'Thursday is fine.'],
  ['The numbers in the sheet are from last year.', 'Right, I have replaced them. Please look again.'],
  ['I called them: they answer by Friday at the latest.'],
  [
    'Can we do this without the agency?',
    'Probably. I try it on one page first.',
    'Good. Tell us how it went.',
    'Works.',
  ],
  ['Waiting since Tuesday now.', 'I sent a reminder.'],
  [
    'Still to do:\n\n- [x] ask for two offers\n- [ ] compare the **delivery times**\n- [ ] decide by Friday',
    'The second offer is `#2041`, see https://example.com/offers/2041',
  ],
  [
    '| | now | planned |\n|---|---|---|\n| pages | 12 | 18 |\n| languages | 1 | 2 |',
    'Looks right. *One thing:* the footer counts as a page too.',
    '> the footer counts as a page too\n\nThen it is 19.',
  ],
  ['It fails with this line:\n\n```\nimport: row 84 has no price\n```', 'Row 84 was empty. **Fixed.**'],
] as const
