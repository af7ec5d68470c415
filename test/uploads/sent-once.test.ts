import { expect, it } from 'vitest'
import { readOnce, type Sent } from '../../src/uploads/sent/sent.ts'

it('what was sent to a publication is read once, and as it was then', () => {
  const asked: string[] = []
  const sent = {
    get(publicationId: string): ReadonlyMap<string, Sent> {
      asked.push(publicationId)
      return new Map([['title', { value: `Title ${asked.length}`, at: 1 }]])
    },
  }
  const titleOf = (store: typeof sent, id: string) => store.get(id).get('title')?.value
  const once = readOnce(sent)
  expect([titleOf(once, 'a'), titleOf(once, 'b'), titleOf(once, 'a')]).toEqual([
    'Title 1',
    'Title 2',
    'Title 1',
  ])
  expect(asked).toEqual(['a', 'b'])
  expect(titleOf(readOnce(sent), 'a')).toBe('Title 3')
})
