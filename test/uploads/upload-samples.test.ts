import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { areThere, bookRows, samples } from '../support/books/samples.ts'
import { machine } from '../support/machine/pubctl.ts'

const named: Record<string, string> = {
  en: 'English',
  fr: 'French',
  de: 'German',
  it: 'Italian',
  es: 'Spanish',
}

describe.skipIf(!areThere)('the sample EPUBs', () => {
  it.each(bookRows.filter(({ kind }) => kind === 'epub'))('$file arrives as the manifest says', async row => {
    const { sandbox } = machine()
    const path = join(samples, row['file'] as string)
    const { code, out } = await sandbox(['publications', 'upload', path, '--json'])
    expect(code).toBe(0)
    const receipt = JSON.parse(out)
    expect(receipt).toMatchObject({
      sha256: row['sha256'],
      bytes: Number(row['bytes']),
      uploadStatus: 'available',
    })
    const item = JSON.parse((await sandbox(['publications', 'get', receipt.publicationId, '--json'])).out)
    const [edition] = item.editions
    const language = row['expected_language'] as string
    expect({
      title: edition.title,
      authors: edition.author.join(';'),
      language: item.language,
      isbn: edition.metadata.isbn ?? '',
      layout: edition.metadata.layoutType,
      isReflowable: edition.isReflowable,
    }).toEqual({
      title: row['expected_title'],
      authors: row['expected_authors'],
      language: named[language.slice(0, 2)] ?? language,
      isbn: row['expected_isbn'],
      layout: row['expected_layout'] === 'fixed' ? 'FIXED' : 'REFLOWABLE',
      isReflowable: row['expected_layout'] !== 'fixed',
    })
  })
})
