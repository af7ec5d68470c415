// What `pubctl publications list --all` is measured against: a loop that only counts what there is. Its argument is the service's address.
const { request } = require('undici')

const [api] = process.argv.slice(2)

async function countAll() {
  let count = 0
  for (let token = ''; token !== null; ) {
    const { body } = await request(`${api}/v1/publications?limit=50${token && `&nextToken=${token}`}`)
    const page = /** @type {{ items: unknown[], nextToken: string | null }} */ (await body.json())
    count += page.items.length
    token = /** @type {string} */ (page.nextToken)
  }
  return count
}

countAll().then(count => process.stdout.write(`${count}\n`))
