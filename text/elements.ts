// The elements of HTML, by what becomes of them in a description; those that may stay are in allowed-html.ts.
import { allowedElements } from './allowed-html.ts'

const setOf = (names: string) => new Set(names.split(' '))

export const allowed = new Set(allowedElements)

/** These begin and end a line by themselves. */
export const allowedBlocks = setOf(
  'blockquote caption h1 h2 h3 h4 hr li ol p pre table tbody td tfoot th thead tr ul',
)

/** These mean something inside a table only. */
export const tableParts = setOf('caption tbody td tfoot th thead tr')

/** The tags of these go and leave a break. */
const unwrappedBlocks = setOf(
  'address article aside body center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h5 h6 head' +
    ' header hgroup html iframe legend listing main marquee menu nav noembed noframes noscript optgroup option plaintext search' +
    ' section select summary textarea title xmp',
)

/** The tags of these go and leave a space, where the words around them would run together. */
const unwrappedControls = setOf('button input label meter output progress')

/** The tags of these go and leave nothing. */
const unwrappedInline = setOf(
  'abbr acronym applet area audio base basefont bdi bdo bgsound big blink canvas cite col colgroup data datalist dfn embed' +
    ' font frame image img ins isindex kbd keygen link map mark math menuitem meta nobr object param picture q rb rp rt rtc ruby samp slot small source spacer span strike svg template time track tt var video wbr',
)

/** The content of these is not text, and goes with them. */
export const silent = setOf('script style')

export const leavesBreak = (name: string) => unwrappedBlocks.has(name) || tableParts.has(name)

export const leavesSpace = (name: string) => unwrappedControls.has(name)

export const known = new Set([
  ...allowed,
  ...unwrappedBlocks,
  ...unwrappedControls,
  ...unwrappedInline,
  ...silent,
])

/** Elements that are often not closed, because HTML does not ask for it. */
export const mayStayOpen = setOf('body col colgroup dd dt head html optgroup option rb rp rt rtc wbr')

/** Elements that run, load or send something by themselves, or in which a browser reads by other rules. */
export const active = setOf(
  'applet audio base bgsound embed form frame frameset iframe image img input isindex keygen link math meta noembed noframes' +
    ' noscript object plaintext script source style svg textarea title track video xmp',
)

/** Attributes with which any element, also one that HTML does not know, can run or load something. */
export const activeAttribute =
  /^(?:on.+|style|href|xlink:href|src|srcset|srcdoc|action|formaction|background|data|poster|ping)$/

/** Attributes that are complete without a value. */
export const booleanAttributes: readonly string[] = (
  'allowfullscreen async autofocus autoplay border checked compact controls declare default defer disabled formnovalidate hidden inert' +
  ' ismap itemscope loop multiple muted nohref nomodule noresize noshade novalidate nowrap open playsinline readonly required' +
  ' reversed selected'
).split(' ')
