const { SaxesParser } = require('saxes')

/**
 * The title of an EPUB and the names of its entries, as a plain script reads them: with the packages that pubctl uses, as they come, and
 * without any check.
 * @param {import('yauzl').ZipFile} zip
 */
exports.contentsOf = async zip => {
  const names = []
  let title = ''
  for await (const entry of zip.eachEntry()) {
    names.push(entry.fileName)
    if (!/\.(?:opf|xhtml|xml)$/.test(entry.fileName)) continue
    const chunks = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk)
    title += titleIn(Buffer.concat(chunks).toString())
  }
  return { title, names }
}

/** The title in a package document; none in any other one. */
function titleIn(/** @type {string} */ text) {
  let [title, isIn] = ['', false]
  const parser = new SaxesParser({ xmlns: true })
  parser.on('opentag', ({ local, prefix }) => {
    isIn = local === 'title' && prefix === 'dc'
  })
  parser.on('closetag', () => {
    isIn = false
  })
  parser.on('text', words => {
    if (isIn) title += words
  })
  parser.write(text).close()
  return title
}
