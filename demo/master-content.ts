// The texts of the demo's master boards.
import type { Hue } from '#text/colors.ts'
import type { IconName } from '#text/icons.ts'

export interface DemoMasterCard {
  key: string
  title: string
  short: string
  description: string
  priority?: 'low' | 'normal' | 'high' | 'urgent'
  tourKey?: string
  check?: string
  needsConfirmation?: true
  /** Of an earlier version that does not have the card yet. */
  isMissing?: true
}

interface DemoMaster {
  title: string
  description: string
  icon: IconName
  toolKey: string
  /** What the newest version changed. */
  note?: string
  /** The versions before it, with the cards that were different then. */
  earlier?: readonly { note: string; cards: Readonly<Record<string, Partial<DemoMasterCard>>> }[]
  groups: readonly {
    title: string
    description: string
    type?: string
    color: Hue
    icon: IconName
    cards: readonly DemoMasterCard[]
  }[]
}

export const demoMasters: readonly DemoMaster[] = [
  {
    title: 'Website launch',
    description: 'Every step from an empty page to a site that customers find.',
    icon: 'globe',
    toolKey: 'website',
    note: 'The privacy notice is part of the imprint, and the review says what to compare.',
    earlier: [
      {
        note: 'First version',
        cards: {
          domain: {
            title: 'Register a domain',
            short: 'A short name that people can spell.',
            description: '<p>Choose a short name, register it, and enter the addresses of the new site.</p>',
          },
          forms: { priority: 'high' },
          redirects: { isMissing: true },
          imprint: {
            title: 'Have the imprint checked',
            priority: 'normal',
            description:
              '<p>Name, address, register number, tax number, and who answers for the content.</p><p>The check only sees that the page is there. A lawyer or the chamber of commerce checks what it says; set the card to done after that.</p>',
          },
          review: { description: '<p>Write down one change for next month, and add a card for it.</p>' },
        },
      },
      {
        note: 'The domain step by step, and the addresses of the old site',
        cards: {
          imprint: {
            title: 'Have the imprint checked',
            description:
              '<p>Name, address, register number, tax number, and who answers for the content.</p><p>The check only sees that the page is there. A lawyer or the chamber of commerce checks what it says; set the card to done after that.</p>',
          },
          review: { description: '<p>Write down one change for next month, and add a card for it.</p>' },
        },
      },
    ],
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
            description:
              '<p>The cards of a template come from the people who look after your project. Add your own for everything else: <b>New card</b> at the top of the board, or the field at the end of a group.</p><p>Your cards stay as they are when the template changes.</p>',
            tourKey: 'card.create',
          },
          {
            key: 'tour-move',
            title: 'Move a card to another group',
            short: 'Groups show how far the work has come.',
            description:
              '<p>Drag a card, or press <b>m</b> while it has the focus. A card in a group of type “done” is done; move it out and it is as it was before.</p>',
            tourKey: 'card.move',
          },
          {
            key: 'tour-comment',
            title: 'Write a comment',
            short: 'Questions and answers stay with the card they are about.',
            description:
              '<p>Open a card and write below its description. Everyone in the project can read it, and the number on the card says what is new to you.</p>',
            tourKey: 'comment.create',
          },
          {
            key: 'tour-theme',
            title: 'Choose a theme',
            short: 'Colors and type follow the theme, and so do new pages.',
            description:
              '<p>Under <b>Themes</b> you see what is published for your website. A theme can be changed at any time; texts and pictures stay.</p>',
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
            description:
              '<p>Start with what a visitor wants to know, in their words:</p><ul><li>what you offer, and for whom</li><li>what it costs, or how to get a quote</li><li>how to reach you, with a phone number that someone answers</li></ul><p>About 150 words a page are enough. Have one person read all five aloud.</p>',
            priority: 'high',
          },
          {
            key: 'photos',
            title: 'Choose photos that show the real place',
            short: 'Own pictures work better than bought ones.',
            description:
              '<p>Ten pictures carry a small site: the house from outside, the rooms, the people at work, one portrait of each person named on the page.</p><p>Landscape format, at least 2,000 pixels wide. Ask everyone who can be recognized, and note that they agreed.</p>',
          },
          {
            key: 'imprint',
            title: 'Have the imprint and privacy notice checked',
            short: 'They are required by law in most countries.',
            description:
              '<p>Name, address, register number, tax number, and who answers for the content. The privacy notice lists every service that sees a visitor: forms, maps, fonts, statistics.</p><p>The check only sees that the page is there. A lawyer or the chamber of commerce checks what it says; set the card to done after that.</p>',
            priority: 'high',
            check: 'website.has_imprint',
            needsConfirmation: true,
          },
          {
            key: 'domain',
            title: 'Connect the domain',
            short: 'Point the domain at the site and wait for the certificate.',
            description:
              '<ol><li>Note where the domain is registered and who can sign in there.</li><li>Enter the addresses of the new site as its records.</li><li>Wait up to a day, then open the site with https.</li></ol><p>Mail keeps working as long as its own records stay as they are.</p>',
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
            description:
              '<p>Send each form from a phone and from a computer, with an address outside of the company. Check three things: the message arrives, the answer to the visitor reads well, and nothing lands in the spam folder.</p>',
            priority: 'urgent',
          },
          {
            key: 'redirects',
            title: 'Redirect the addresses of the old site',
            short: 'The twenty most visited pages are enough for a start.',
            description:
              '<p>The statistics of the old site list its most visited pages. Give each of them the address of the new page with the same content, permanently (301). What has no counterpart leads to the page one level above, not to the home page.</p>',
          },
          {
            key: 'search',
            title: 'Tell the search engines',
            short: 'Submit the site map.',
            description:
              '<p>The site map is at <code>/sitemap.xml</code>. Enter it in the search console of each engine; new pages then appear within days instead of weeks.</p>',
            priority: 'low',
            check: 'website.has_site_map',
          },
          {
            key: 'review',
            title: 'Look at the numbers after one week',
            short: 'Which pages are read, and where do people leave?',
            description:
              '<p>Compare three numbers with the old site: visits, messages through the forms, and pages that people leave at once. Write down one change for next month, and add a card for it.</p>',
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
            description:
              '<p>Begin with what sells best in the store. For each product:</p><ul><li>a title that people would type into a search field</li><li>the price with tax, and the unit</li><li>one picture from the front, one in use</li><li>how many are there, and how long the next delivery takes</li></ul>',
            priority: 'high',
          },
          {
            key: 'prices',
            title: 'Check prices and tax rates with the accountant',
            short: 'Bundles and vouchers are taxed differently.',
            description:
              '<p>Export the list of products and go through it once with the accountant. Food, books and digital goods often have a reduced rate; a bundle takes the rate of its parts. Vouchers are taxed when they are used, unless they are for one product only.</p>',
          },
          {
            key: 'pictures',
            title: 'Take pictures on a plain background',
            short: 'Same light, same distance.',
            description:
              '<p>A window, a white card and a tripod are enough. Leave a hand’s width around the product, so that every picture can be cut to a square. Name the files by product number.</p>',
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
            description:
              '<p>You need the company’s bank account, the register entry and an identity card. Then buy something for one euro with a real card, refund it, and find both in the account.</p><p>Offer at least one way to pay without a card.</p>',
            priority: 'urgent',
          },
          {
            key: 'shipping',
            title: 'Set shipping costs by weight and country',
            short: 'Ask the carrier for the current table.',
            description:
              '<table><tbody><tr><th>Parcel</th><th>Inland</th><th>EU</th></tr><tr><td>up to 2 kg</td><td>€4.90</td><td>€9.90</td></tr><tr><td>up to 10 kg</td><td>€7.90</td><td>€16.90</td></tr></tbody></table><p>Replace these with the numbers of your carrier. Decide from which amount shipping is free, and whether you deliver to islands.</p>',
          },
          {
            key: 'terms',
            title: 'Publish the terms and the returns policy',
            short: 'Customers look for them before they buy.',
            description:
              '<p>Use the text of a trade association, and change only what differs: delivery times, who pays for returns, and the address for them. Both pages are linked at the foot of every page and before the button that buys.</p>',
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
            description:
              '<p>One person orders, another packs. Follow the order through every message until the parcel is on a doorstep, then send it back and refund it. Note each place where somebody had to ask.</p>',
            priority: 'high',
          },
          {
            key: 'announce',
            title: 'Announce the opening',
            short: 'Newsletter, shop window, social media.',
            description:
              '<p>Write one text and cut it three times: a newsletter with a picture, two sentences for the window, one for social media. Send the newsletter on a weekday morning, when someone can answer the phone.</p>',
          },
        ],
      },
    ],
  },
]
