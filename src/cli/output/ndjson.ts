import { serialise } from '../../system/exact-json.ts'
import { applyFields, queryOf } from './json.ts'
import { neutraliseJson } from './neutralise.ts'
import type { OutputOptions, Pages } from './view.ts'
import type { Writer } from './writer.ts'

/** Prints a line of JSON for each item as pages arrive. `--query` is applied to each item. */
export async function ndjsonList(out: Writer, options: OutputOptions, pages: Pages): Promise<void> {
  const query = await queryOf(options)
  for await (const page of pages) {
    let text = ''
    for (const item of page) {
      const selected = applyFields(item, options)
      text += `${serialise(query === undefined ? selected : query.search(selected))}\n`
    }
    await out.json(neutraliseJson(text))
    if (out.isClosed) return
  }
  await query?.tellMissing()
}
