import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fileOf } from '../support/books/make-book.ts'
import { hasBrowser, type Look, openBrowser, visit } from '../support/machine/browser.ts'
import { accessibilityPage, planPage, receiptPage, reportPage } from '../support/machine/every-page.ts'
import { isFull } from '../support/machine/full.ts'
import { isSlow } from '../support/machine/slow.ts'

const pages: Readonly<Record<string, () => Promise<string>>> = {
  'analytics report of hostile titles': () => reportPage(true),
  'analytics report': () => reportPage(false),
  'receipt of a batch': receiptPage,
  'report on accessibility': accessibilityPage,
  'page of a plan': planPage,
}

const looks: readonly Look[] = [1280, 400].flatMap(width =>
  (['light', 'dark'] as const).map(colorScheme => ({ width, colorScheme })),
)
const picture = join(import.meta.dirname, '../../docs/analytics-report.png')

const print: Look = { width: 680, colorScheme: 'dark', media: 'print' }

/** A browser takes seconds for each look, so `check:slow` has the one look in which most can go wrong. */
const tried = Object.entries(pages).map(([name, make]) => ({
  name,
  make,
  looks: isFull ? [...looks, print] : looks.slice(-1),
}))

describe.runIf(hasBrowser && (isSlow || isFull))('in a browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(async () => await browser?.close())

  it.each(tried)(
    'the $name asks for nothing, says nothing and is accessible',
    async ({ make, looks }) => {
      const file = await make()
      for (const look of looks) {
        const { title, ...seen } = await visit(browser, file, look, async page => {
          // Tables that people open are looked at where the screen is small; each of their cells takes time.
          if (look.width === 400 && isFull)
            await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
        })
        expect({ look, ...seen }).toEqual({ look, requests: [], messages: [], violations: [], overflow: 0 })
        expect(title).not.toBe('ran')
      }
    },
    300_000,
  )

  it('a page that asks, says or lacks something is found out', async () => {
    const bad =
      '<!doctype html><title>Bad</title><img src="http://127.0.0.1:9/x"><script>console.log("hello")</script>'
    const seen = await visit(browser, fileOf(bad, 'bad.html'), { width: 400, colorScheme: 'light' })
    expect(seen.requests).toEqual(['http://127.0.0.1:9/x'])
    expect(seen.messages).toContain('hello')
    expect(seen.violations.map(each => each.split(':')[0])).toEqual(
      expect.arrayContaining(['html-has-lang', 'image-alt']),
    )
  })
})

it('the picture of the page about analytics is small', () => {
  expect(statSync(picture).size).toBeLessThan(200 * 1024)
})
