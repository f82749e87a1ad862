// The texts of the demo's master boards.
import type { Hue } from '#text/colors.ts'
import type { IconName } from '#text/icons.ts'

interface DemoMaster {
  title: string
  description: string
  icon: IconName
  toolKey: string
  groups: readonly {
    title: string
    description: string
    type?: string
    color: Hue
    icon: IconName
    cards: readonly {
      key: string
      title: string
      short: string
      priority?: 'low' | 'high' | 'urgent'
      tourKey?: string
      check?: string
      needsConfirmation?: true
    }[]
  }[]
}

export const demoMasters: readonly DemoMaster[] = [
  {
    title: 'Website launch',
    description: 'Every step from an empty page to a site that customers find.',
    icon: 'globe',
    toolKey: 'website',
    groups: [
      {
        title: 'Get to know Cardinal',
        description: 'A short tour; dismiss it when you know your way around.',
        color: 'violet',
        icon: 'map',
        cards: [
          {
            key: 'tour-card',
            title: 'Add a card of your own',
            short: 'Templates bring most cards; yours stand beside them.',
            tourKey: 'card.create',
          },
          {
            key: 'tour-move',
            title: 'Move a card to another group',
            short: 'Groups show how far the work has come.',
            tourKey: 'card.move',
          },
          {
            key: 'tour-comment',
            title: 'Write a comment',
            short: 'Questions and answers stay with the card they are about.',
            tourKey: 'comment.create',
          },
          {
            key: 'tour-theme',
            title: 'Choose a theme',
            short: 'Colors and type follow the theme, and so do new pages.',
            tourKey: 'website.theme',
          },
        ],
      },
      {
        title: 'Prepare',
        description: 'What has to be there before anyone sees it.',
        type: 'todo',
        color: 'blue',
        icon: 'clipboard',
        cards: [
          {
            key: 'texts',
            title: 'Write the texts of the first five pages',
            short: 'Home, services, about, contact, imprint.',
            priority: 'high',
          },
          {
            key: 'photos',
            title: 'Choose photos that show the real place',
            short: 'Own pictures work better than bought ones.',
          },
          {
            key: 'imprint',
            title: 'Have the imprint and privacy notice checked',
            short: 'They are required by law in most countries.',
            priority: 'high',
            check: 'website.has_imprint',
            needsConfirmation: true,
          },
          {
            key: 'domain',
            title: 'Connect the domain',
            short: 'Point the domain at the site and wait for the certificate.',
            check: 'website.has_domain',
          },
        ],
      },
      {
        title: 'Go live',
        description: 'The last day before, and the first week after.',
        type: 'active',
        color: 'green',
        icon: 'rocket',
        cards: [
          {
            key: 'forms',
            title: 'Test every form with a real address',
            short: 'Also the message that the visitor gets.',
            priority: 'urgent',
          },
          {
            key: 'redirects',
            title: 'Redirect the addresses of the old site',
            short: 'The twenty most visited pages are enough for a start.',
          },
          {
            key: 'search',
            title: 'Tell the search engines',
            short: 'Submit the site map.',
            priority: 'low',
            check: 'website.has_site_map',
          },
          {
            key: 'review',
            title: 'Look at the numbers after one week',
            short: 'Which pages are read, and where do people leave?',
          },
        ],
      },
    ],
  },
  {
    title: 'Shop opening',
    description: 'From the first product to the first parcel.',
    icon: 'shopping-cart',
    toolKey: 'shop',
    groups: [
      {
        title: 'Products',
        description: 'What is sold, and for how much.',
        type: 'todo',
        color: 'amber',
        icon: 'package',
        cards: [
          {
            key: 'first-products',
            title: 'Enter the first twenty products',
            short: 'Title, price, picture, stock.',
            priority: 'high',
          },
          {
            key: 'prices',
            title: 'Check prices and tax rates with the accountant',
            short: 'Bundles and vouchers are taxed differently.',
          },
          {
            key: 'pictures',
            title: 'Take pictures on a plain background',
            short: 'Same light, same distance.',
          },
        ],
      },
      {
        title: 'Payment and shipping',
        description: 'How the money comes in and the parcel goes out.',
        type: 'todo',
        color: 'teal',
        icon: 'truck',
        cards: [
          {
            key: 'payment',
            title: 'Connect a payment provider',
            short: 'Test it with a real card and a real refund.',
            priority: 'urgent',
          },
          {
            key: 'shipping',
            title: 'Set shipping costs by weight and country',
            short: 'Ask the carrier for the current table.',
          },
          {
            key: 'terms',
            title: 'Publish the terms and the returns policy',
            short: 'Customers look for them before they buy.',
            priority: 'high',
          },
        ],
      },
      {
        title: 'Opening',
        description: 'The first orders.',
        type: 'active',
        color: 'green',
        icon: 'store',
        cards: [
          {
            key: 'test-order',
            title: 'Place a test order from start to parcel',
            short: 'Including the return.',
            priority: 'high',
          },
          { key: 'announce', title: 'Announce the opening', short: 'Newsletter, shop window, social media.' },
        ],
      },
    ],
  },
]
