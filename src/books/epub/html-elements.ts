/** The namespace of HTML. */
export const htmlNamespace = 'http://www.w3.org/1999/xhtml'

/** The elements of HTML that a page of EPUB 3 may have; those with a hyphen are of its author's own. */
export const htmlElements: ReadonlySet<string> = new Set(
  [
    'a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption cite code col',
    'colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure footer form h1 h2',
    'h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark menu meta',
    'meter nav noscript object ol optgroup option output p param picture pre progress q rb rp rt rtc ruby s samp script',
    'search section select slot small source span strong style sub summary sup table tbody td template textarea tfoot th',
    'thead time title tr track u ul var video wbr command keygen',
  ].flatMap(line => line.split(' ')),
)

/** Those that none of their own kind may be within. */
export const notWithinThemselves: ReadonlySet<string> = new Set(
  'a button dfn form label meter progress'.split(' '),
)

/** Elements of SVG that nobody can go to, since they show nothing where they stand. */
export const unshown: ReadonlySet<string> = new Set(
  'clipPath cursor filter linearGradient marker mask pattern radialGradient symbol'.split(' '),
)
