import { makePdf, pdfStream } from './make-pdf.ts'

const mebibyte = 2 ** 20

/** PDFs made to hang, fill the memory of or crash whoever reads them; each is made when it is called for. */
export const hostilePdfs: Readonly<Record<string, () => Buffer>> = {
  'a PDF that is only a header': () => Buffer.from('%PDF-1.7\n'),
  'a PDF of noise': () =>
    Buffer.concat([
      Buffer.from('%PDF-1.7\n'),
      Buffer.from(Array.from({ length: mebibyte }, (_, i) => (i * i * 7 + i) >> 3)),
    ]),
  'a PDF cut in half': () => makePdf({ info: '/Title (T)', pages: 500 }).subarray(0, 10_000),
  'a PDF without a cross reference': () =>
    Buffer.from(
      makePdf({ info: '/Title (T)' })
        .toString('latin1')
        .replace(/xref[\s\S]*trailer/, 'trailer'),
      'latin1',
    ),
  'a PDF whose metadata is a bomb': () => makePdf({ xmp: Buffer.alloc(250 * mebibyte, ' ') }),
  'a PDF whose metadata is an XML bomb': () => makePdf({ xmp: `<x:xmpmeta>${'<a>'.repeat(5_000_000)}` }),
  'a PDF whose cross reference is a bomb': () => {
    const bomb = pdfStream(Buffer.alloc(250 * mebibyte), '/Type /XRef /Size 100000000 /W [1 2 1] /Root 1 0 R')
    const body = Buffer.concat([Buffer.from('%PDF-1.7\n1 0 obj\n'), bomb, Buffer.from('\nendobj\n')])
    return Buffer.concat([body, Buffer.from('startxref\n9\n%%EOF\n')])
  },
  'a PDF whose cross references go in a circle': () => {
    const pdf = makePdf({ info: '/Title (T)', trailer: '/Prev 0000000000' }).toString('latin1')
    return Buffer.from(
      pdf.replace('0000000000 >>', `${String(pdf.lastIndexOf('xref\n0 1')).padStart(10, '0')} >>`),
      'latin1',
    )
  },
  // pdf.js answers before a promise that it does not wait for is rejected.
  'a PDF whose cross references miss its pages': () =>
    Buffer.from(
      makePdf({ info: '/Title (T)' })
        .toString('latin1')
        .replace(/(\n1[01] 1\n)\d{10}/g, '$10000000007'),
      'latin1',
    ),
  'a PDF whose pages are their own children': () =>
    makePdf({
      catalog: '/Pages 100 0 R',
      objects: ['<< /Type /Pages /Kids [100 0 R 100 0 R] /Count 1000000000 >>'],
    }),
  'a PDF that claims a billion pages': () =>
    makePdf({ catalog: '/Pages 100 0 R', objects: ['<< /Type /Pages /Kids [10 0 R] /Count 1000000000 >>'] }),
  'a PDF whose outline goes in a circle': () =>
    makePdf({
      catalog: '/Outlines 100 0 R',
      objects: [
        '<< /First 101 0 R /Last 101 0 R >>',
        '<< /Title (A) /Next 101 0 R /First 101 0 R /Dest [10 0 R] >>',
      ],
    }),
  'a PDF whose outline has no end': () =>
    makePdf({
      catalog: '/Outlines 100 0 R',
      objects: [
        '<< /First 101 0 R >>',
        ...Array.from(
          { length: 60_000 },
          (_, i) => `<< /Title (A) /Next ${i + 102} 0 R /First ${i + 103} 0 R >>`,
        ),
      ],
    }),
  'a PDF of nested arrays': () => makePdf({ info: `/Title (T) /X ${'['.repeat(2 * mebibyte)}` }),
  'a PDF of nested dictionaries': () => makePdf({ catalog: `/X ${'<< /A '.repeat(mebibyte)}` }),
  'a PDF whose title has no end': () => makePdf({ info: `/Title (${'word '.repeat(2 * mebibyte)})` }),
  'a PDF of a hundred thousand objects': () =>
    makePdf({ objects: Array.from({ length: 100_000 }, () => '<< >>') }),
  'a PDF whose stream has all filters': () =>
    makePdf({
      catalog: '/Metadata 100 0 R',
      objects: [
        `<< /Length 9 /Filter [${'/ASCIIHexDecode '.repeat(20_000)}] >>\nstream\n4142434445\nendstream`,
      ],
    }),
}
