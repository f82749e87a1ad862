// The elements of HTML by how descriptions treat them; allowed-html.ts lists the ones it keeps.
import { allowed } from './allowed-html.ts'

const setOf = (names: string) => new Set(names.split(' '))

/** Elements that are meaningful only inside a table. */
export const tableParts = setOf('caption tbody td tfoot th thead tr')

/** Elements whose tags are replaced by a break. */
const unwrappedBlocks = setOf(
  'address article aside body center dd details dialog dir div dl dt fieldset figcaption figure footer form frameset h5 h6 head' +
    ' header hgroup html iframe legend listing main marquee menu nav noembed noframes noscript optgroup option plaintext search' +
    ' section select summary textarea title xmp',
)

/** Elements whose tags are replaced by a space, so that words do not run together; browsers show `<rt>` above its word. */
const unwrappedControls = setOf('button input label meter output progress rt rtc')

/** Elements whose tags are removed. */
const unwrappedInline = setOf(
  'abbr acronym applet area audio base basefont bdi bdo bgsound big blink canvas cite col colgroup data datalist dfn embed' +
    ' font frame image img ins isindex kbd keygen link map mark math menuitem meta nobr object param picture q rb rp ruby samp slot small source spacer span strike svg template time track tt var video wbr',
)

/** Elements that are removed with their content, because it is not text. */
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

/** Elements that a page has once, around or before its words. */
export const pageParts = setOf('body head html')

/** Elements that HTML does not require to be closed. */
export const mayStayOpen = setOf('body col colgroup dd dt head html optgroup option rb rp rt rtc wbr')

/** Elements that run, load or send something, or that browsers parse by other rules. */
export const active = setOf(
  'applet audio base bgsound embed form frame frameset iframe image img input isindex keygen link math meta noembed noframes' +
    ' noscript object plaintext script source style svg textarea title track video xmp',
)

/** Attributes with which any element, even an unknown one, can run or load something. */
export const activeAttribute =
  /^(?:on.+|style|href|xlink:href|src|srcset|srcdoc|action|formaction|background|data|poster|ping)$/

/** Attributes that are complete without a value. */
export const booleanAttributes: readonly string[] = (
  'allowfullscreen async autofocus autoplay border checked compact controls declare default defer disabled formnovalidate hidden inert' +
  ' ismap itemscope loop multiple muted nohref nomodule noresize noshade novalidate nowrap open playsinline readonly required' +
  ' reversed selected'
).split(' ')
