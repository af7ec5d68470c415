import { type Command, Option } from '@commander-js/extra-typings'
import { parseIsbn } from '../books/isbn.ts'
import { about } from '../cli/about.ts'
import type { Context, Run } from '../cli/context.ts'
import { createCountProgress } from '../cli/output/count-progress.ts'
import { requestView } from '../cli/output/dry-run-views.ts'
import type { View } from '../cli/output/view.ts'
import { showsFullTable } from '../cli/output-kind.ts'
import { repeated } from '../cli/repeatable.ts'
import type { SaidOfBook } from '../pack/audiobook.ts'
import { UsageFailure } from '../system/errors.ts'
import { shellWord } from '../system/shell-word.ts'

const packedView: View = {
  columns: [
    { field: 'file', isPath: true },
    { field: 'bytes' },
    { field: 'title' },
    { field: 'authors' },
    { field: 'narrators' },
    { field: 'language' },
    { field: 'isbn' },
    { field: 'cover' },
    { field: 'duration' },
    { field: 'trackCount' },
    { field: 'chapterCount' },
  ],
  fields: () =>
    new Set(
      'file bytes title authors narrators language isbn cover duration trackCount chapterCount problems problems.*'.split(
        ' ',
      ),
    ),
}

export function register(group: Command, run: Run): void {
  about(
    group
      .command('audiobook')
      .argument('<source>', 'a folder of .mp3, .m4a or .m4b files, or one such file')
      .description('Make an LPF audiobook of sound files, with what their tags say'),
    {
      does: 'adds',
      writesTo: ['--out'],
      notForAgents: 'it reads and writes gigabytes',
      examples: [
        'pack audiobook time-machine/ --out time-machine.lpf',
        'pack audiobook book.m4b --out book.lpf --language en --narrator "A Reader"',
      ],
      isLocal: true,
    },
  )
    .addOption(new Option('--out <file>', 'the .lpf file to write').makeOptionMandatory())
    .option('--title <text>', 'the title, in place of the album in the tags')
    .addOption(repeated('--author <name>', 'an author, in place of the artist in the tags'))
    .addOption(repeated('--narrator <name>', 'who reads it, in place of the composer in the tags'))
    .option('--language <tag>', 'the language, such as en or pt-BR')
    .addOption(new Option('--isbn <isbn>', 'the ISBN of the audiobook').argParser(parseIsbn))
    .option('--cover <file>', 'the cover, in place of the one in the tags')
    .option('--force', 'replace the file if there is one')
    .action(
      run(async (context, source, { out, force, ...said }) => {
        await context.check(context.options.dryRun ? requestView : packedView)
        await packAudiobook(context, source, out, force === true, said)
      }),
    )
}

async function packAudiobook(
  context: Context,
  source: string,
  out: string,
  mayReplace: boolean,
  said: SaidOfBook,
): Promise<void> {
  const { world } = context
  await mustFit(out, mayReplace, said)
  const { readAudiobook } = await import('../pack/audiobook.ts')
  const { audiobookManifest, secondsOf } = await import('../pack/manifest.ts')
  const count = createCountProgress(await context.progress(), context.err, world.clock)
  try {
    const book = await readAudiobook(source, said, world, (_, done, all) =>
      count.show('reading sound files', done, all),
    )
    count.stop()
    for (const warning of book.warnings) await context.warn(warning)
    if (context.options.dryRun)
      return await context.list(requestView, [
        [{ method: 'WRITE', url: `file:${out}`, body: audiobookManifest(book) }],
      ])
    const { writeAudiobook } = await import('../pack/write-audiobook.ts')
    const { problems } = await writeAudiobook(out, book, world, {
      mayReplace,
      onFile: (_, done, all) => count.show('packing sound files', done, all),
    })
    count.stop()
    const { sizeOf } = await import('../system/write-file.ts')
    const { title, authors, narrators, language, isbn, cover, tracks } = book
    await context.item(packedView, {
      file: out,
      bytes: sizeOf(out),
      title,
      authors,
      narrators,
      language,
      isbn,
      cover: cover?.mediaType,
      duration: secondsOf(book),
      trackCount: tracks.length,
      chapterCount: tracks.reduce((sum, { chapters }) => sum + chapters.length, 0),
      problems,
    })
    if (showsFullTable(context)) {
      const { printProblems } = await import('../uploads/options/book-problems.ts')
      await printProblems(context, [{ file: out, problems }])
    }
    await context.note(`Upload it: pubctl publications upload ${shellWord(out)}`)
  } finally {
    count.stop()
  }
}

/** Throws UsageFailure if no package can be written as this file, or if what is said of the book is wrong. */
async function mustFit(out: string, mayReplace: boolean, { language }: SaidOfBook): Promise<void> {
  const { typeByName } = await import('../system/book-extensions.ts')
  if (typeByName(out) !== 'Audio')
    throw new UsageFailure(`an audiobook cannot be written as ${out}`, { hint: 'Its name ends in .lpf.' })
  const { languageFault } = await import('../books/language.ts')
  const fault = language === undefined ? undefined : languageFault(language)
  if (fault) throw new UsageFailure(fault.message, { code: fault.code, hint: fault.hint })
  const { stat } = await import('../system/files.ts')
  const isThere = await stat(out).then(
    () => true,
    () => false,
  )
  const { isThereAlready } = await import('../system/is-there-already.ts')
  if (isThere && !mayReplace) throw isThereAlready(out)
  const { checkWritable } = await import('../system/write-file.ts')
  checkWritable(out)
}
