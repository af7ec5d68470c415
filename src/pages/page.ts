import { createHash } from 'node:crypto'
import { chartStyle } from './chart-style.ts'
import { escapeMarkup } from './escape-markup.ts'
import type { Html } from './html.ts'
import { style } from './style.ts'

/** A page: its title, the sentence or two below it, what it shows, and what stands at its end. */
export interface PageContent {
  title: string
  lead: Html
  body: Html
  footer?: Html
  hasCharts?: boolean
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64')

/**
 * A self-contained page. Its policy allows nothing but its own style, so it runs no script and makes no request, whatever a
 * text in it says.
 */
export function page({ title, lead, body, footer, hasCharts = false }: PageContent): string {
  const ownStyle = hasCharts ? style + chartStyle : style
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${hashOf(ownStyle)}'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${ownStyle}</style>
</head>
<body>
<header>
<h1>${escapeMarkup(title)}</h1>
<p class="lead">${lead}</p>
</header>
<main>
${body}
</main>
${footer === undefined ? '' : `<footer>${footer}</footer>\n`}</body>
</html>
`
}
