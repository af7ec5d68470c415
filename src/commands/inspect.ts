import type { Command } from '@commander-js/extra-typings'
import type { View } from '../output/view.ts'
import type { Run } from '../program.ts'
import { about } from './about.ts'
import { forEach } from './batch.ts'

const view: View = {
  columns: [
    { field: 'file', isPath: true },
    { field: 'type' },
    { field: 'title' },
    { field: 'authors' },
    { field: 'language' },
    { field: 'isbn', isWhole: true },
    { field: 'publisher', isDetail: true },
    { field: 'description', isDetail: true },
    { field: 'epubVersion', isDetail: true },
    { field: 'layout', isMinor: true },
    { field: 'spread', isDetail: true },
    { field: 'pageCount', isDetail: true },
    { field: 'cover.path', label: 'cover', isDetail: true },
    { field: 'cover.mediaType', label: 'cover type', isDetail: true },
    { field: 'cover.width', label: 'cover width', isDetail: true },
    { field: 'cover.height', label: 'cover height', isDetail: true },
    { field: 'trackCount', isDetail: true },
    { field: 'duration', isDetail: true },
    { field: 'drm', isDetail: true },
    { field: 'problems.message', label: 'problems' },
  ],
  fields: () =>
    new Set([
      ...'file type mediaType title titles titles.* authors creators creators.* language isbn publisher'.split(
        ' ',
      ),
      ...'description identifier epubVersion isReflowable layout spread cover cover.* navigation'.split(' '),
      ...'navigation.* pageCount duration trackCount drm problems problems.*'.split(' '),
    ]),
  empty: '',
}

export function register(group: Command, run: Run): void {
  about(group.argument('<file...>', 'EPUB, PDF or LPF files'), {
    examples: [
      'inspect book.epub',
      'inspect *.epub -o csv',
      'inspect book.epub --json --query "problems[].message"',
    ],
    isLocal: true,
  }).action(
    run(async (context, files) => {
      await context.check(view)
      const { readBook } = await import('../books/index.ts')
      await forEach(context, view, files, async file => ({ file, ...(await readBook(file)) }))
    }),
  )
}
