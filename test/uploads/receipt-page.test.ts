import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { bookOf } from '../support/catalogues/catalogue.ts'
import { tableNamed } from '../support/machine/page-tables.ts'
import { machine } from '../support/machine/pubctl.ts'

it.skipIf(process.platform === 'win32')(
  'the page of receipts has what the receipts have, with what failed first',
  async () => {
    const { sandbox, home } = machine()
    const folder = join(home, 'books')
    mkdirSync(folder)
    writeFileSync(join(folder, 'a.epub'), bookOf('Alpha'))
    writeFileSync(join(folder, 'b<img src=x onerror=alert(1)>.epub'), 'no book')
    writeFileSync(join(folder, 'c.epub'), bookOf('Gamma'))
    const file = join(home, 'receipts.html')
    const { code, out } = await sandbox(['publications', 'upload', folder, '--json', '--report', file])
    expect(code).toBe(10)
    const receipts: { file: string; outcome: string; publicationId: string | null }[] = JSON.parse(out)
    const page = readFileSync(file, 'utf8')
    const headings = [...page.matchAll(/<h2 id="[\w-]+">([^<]*)<\/h2>/g)].map(([, title]) => title)
    expect(headings).toEqual(['To look into (1)', 'Done (2)'])
    const [failed] = tableNamed(page, 'To look into')
    expect(failed?.[0]).toContain('b&lt;img src=x onerror=alert(1)&gt;.epub')
    expect(failed?.[1]).toMatch(/^failed .*is a text file, not a book/)
    expect(page).not.toContain('<img')
    const uploaded = receipts.filter(({ outcome }) => outcome === 'uploaded')
    expect(tableNamed(page, 'Done').map(([, , id]) => id)).toEqual(
      uploaded.map(({ publicationId }) => publicationId),
    )
    const [alpha] = tableNamed(page, 'Done')
    expect(alpha?.[0]).toMatch(/^Alpha.*a\.epub/)
    expect(alpha?.[1]).toBe('uploaded available')
    expect(failed?.[1]).toContain('The service takes EPUB, PDF and LPF audiobooks.')
    expect(page).toMatch(/\d{4} at \d\d:\d\d UTC, at sandbox:.*, for the organisation scope_/)
    expect(page).toContain('<code>pubctl publications upload</code>')
    const counts = [...page.matchAll(/<dt>(\w+)<\/dt><dd>(\d+)<\/dd>/g)].map(([, name, count]) => [
      name,
      count,
    ])
    expect(counts).toEqual([
      ['uploaded', '2'],
      ['failed', '1'],
    ])
  },
)
