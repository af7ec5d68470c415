// What `pubctl inspect` is measured against, beside `node -e 0`.
const { Command } = require('commander')
const { openPromise } = require('yauzl')
const { contentsOf } = require('./contents.cjs')

new Command('inspect')
  .argument('<file>')
  .option('--json')
  .action(async file => {
    const zip = await openPromise(file, { autoClose: false })
    process.stdout.write(`${JSON.stringify(await contentsOf(zip))}\n`)
    zip.close()
  })
  .parse()
