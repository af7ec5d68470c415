// What the table of a listing is measured against, beside CSV: as many rows, drawn by cli-table3 as it comes, in pages of 100, and
// thrown away. They are made here, so that it asks no service.
const Table = require('cli-table3')

const count = Number(process.argv[2])
for (let from = 0; from < count; from += 100) {
  const table = new Table({ head: ['Title', 'Authors', 'Type', 'Status', 'Created', 'Publication'] })
  for (let number = from; number < from + 100; number++)
    table.push([
      ...[
        `The Long List of Everything, Part ${number}`,
        'A. Writer',
        'EPUB',
        'available',
        '2026-01-01 00:00',
      ],
      `pub_${String(number).padStart(12, '0')}`,
    ])
  if (table.toString() === '') throw new Error('nothing was drawn')
}
