import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The Chromium of this machine; undefined if there is none. */
const executablePath =
  process.env['CHROMIUM'] ??
  (process.env['PATH'] ?? '')
    .split(':')
    .flatMap(folder => names.map(name => join(folder, name)))
    .find(path => existsSync(path))

export const hasBrowser = executablePath !== undefined

/** Starts Chromium without anything that it would ask the network for by itself. */
export async function openBrowser(): Promise<Browser> {
  // Only now, since it takes a second to load, and `npm test` opens no browser.
  const { chromium } = await import('playwright-core')
  return await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}

export interface Look {
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  readonly media?: 'screen' | 'print'
}

/** What a page did in a browser, and what is wrong with it. */
export interface Visit {
  /** Every request but that of the page itself. */
  readonly requests: string[]
  /** Console messages, errors, dialogs and new pages. */
  readonly messages: string[]
  /** What axe-core finds, each as its rule and the first element. */
  readonly violations: string[]
  /** What the page is called in the end. */
  readonly title: string
  /** By how much the page is wider than the screen. */
  readonly overflow: number
}

/** Opens a file in a browser and looks at it; `see` may look at more. */
export async function visit(
  browser: Browser,
  file: string,
  { width, colorScheme, media = 'screen' }: Look,
  see: (page: Page) => Promise<void> = async () => undefined,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  try {
    const [requests, messages]: [string[], string[]] = [[], []]
    const page = await context.newPage()
    const { href } = pathToFileURL(file)
    page.on('request', request => request.url() !== href && requests.push(request.url()))
    page.on('console', message => messages.push(message.text()))
    page.on('pageerror', error => messages.push(String(error)))
    page.on('popup', popup => messages.push(`popup ${popup.url()}`))
    page.on('dialog', dialog => {
      messages.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.emulateMedia({ media, colorScheme })
    await page.goto(href)
    await see(page)
    const { default: axe } = await import('axe-core')
    await page.evaluate(axe.source)
    const violations = await page.evaluate(
      'axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))',
    )
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    const title = await page.title()
    return { requests, messages, violations: violations as string[], overflow: overflow as number, title }
  } finally {
    await context.close()
  }
}
