// What `pubctl publications list --all` is measured against: a loop that only counts what there is. Its arguments are
// the service's address and how many there have to be.
const { request } = require('undici')

const [api, expected] = process.argv.slice(2)

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

countAll().then(count => {
  if (count !== Number(expected)) throw new Error(`counted ${count}`)
})
