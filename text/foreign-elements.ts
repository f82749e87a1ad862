// The elements of SVG and MathML that HTML does not know. They count as tags only inside of <svg> and <math>.

const setOf = (names: string) => new Set(names.split(' '))

const svg = setOf(
  'animate animatecolor animatemotion animatetransform circle clippath color-profile cursor defs desc discard ellipse feblend' +
    ' fecolormatrix fecomponenttransfer fecomposite feconvolvematrix fediffuselighting fedisplacementmap fedistantlight fedropshadow' +
    ' feflood fefunca fefuncb fefuncg fefuncr fegaussianblur feimage femerge femergenode femorphology feoffset fepointlight' +
    ' fespecularlighting fespotlight fetile feturbulence filter font-face font-face-format font-face-name font-face-src font-face-uri' +
    ' foreignobject g glyph glyphref hatch hatchpath hkern line lineargradient marker mask mesh meshgradient meshpatch meshrow' +
    ' metadata missing-glyph mpath path pattern polygon polyline radialgradient rect set solidcolor stop switch symbol text textpath' +
    ' tref tspan use view vkern',
)

const formulas =
  'annotation annotation-xml maction maligngroup malignmark menclose merror mfenced mfrac mglyph mi mlabeledtr mlongdiv' +
  ' mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mscarries mscarry msgroup msline mspace msqrt msrow mstack' +
  ' mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none semantics'

/** MathML that says what a formula means instead of how it looks. */
const meanings =
  'abs and apply approx arccos arccosh arccot arccoth arccsc arccsch arcsec arcsech arcsin arcsinh arctan arctanh arg bind bvar card' +
  ' cartesianproduct cbytes ceiling cerror ci cn codomain complexes compose condition conjugate cos cosh cot coth cs csc csch csymbol' +
  ' curl declare degree determinant diff divergence divide domain domainofapplication emptyset eq equivalent eulergamma exists exp' +
  ' exponentiale factorial factorof false floor fn forall gcd geq grad gt ident imaginary imaginaryi implies in infinity int integers' +
  ' intersect interval inverse lambda laplacian lcm leq limit list ln log logbase lowlimit lt matrix matrixrow max mean median min' +
  ' minus mode moment momentabout naturalnumbers neq not notanumber notin notprsubset notsubset or otherwise outerproduct partialdiff' +
  ' pi piece piecewise plus power primes product prsubset quotient rationals real reals reln rem root scalarproduct sdev sec sech' +
  ' selector sep setdiff share sin sinh subset sum tan tanh tendsto times transpose true union uplimit variance vector vectorproduct xor'

const mathml = setOf(`${formulas} ${meanings}`)

/** Drawing programs write elements of their own, such as `<sodipodi:namedview>`. */
const prefixed = /^[a-z][\w-]*:[a-z][\w-]*$/

export const isForeignName = (name: string) => svg.has(name) || mathml.has(name) || prefixed.test(name)

const labels = setOf('desc foreignobject metadata text')

/** Parts of formulas and labels of drawings stand apart from each other; a line of a label has a position of its own. */
export const standsApart = (name: string, attributes: ReadonlyMap<string, string>) =>
  mathml.has(name) ||
  labels.has(name) ||
  (name === 'tspan' && ['x', 'y', 'dy'].some((at) => attributes.has(at)))
