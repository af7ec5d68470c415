import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Topic } from './topics.ts'

/** A help topic as text, as wide as the help of commands. */
export function topicPage({ summary, sections }: Topic, command: CommandUnknownOpts): string {
  const helper = command.createHelp()
  helper.prepareContext({ helpWidth: 80, ...command.configureHelp() })
  const width = helper.helpWidth ?? 80
  const wrap = (text: string, indent: string): string =>
    helper.boxWrap(text, width - indent.length).replace(/^/gm, indent)
  const blocks = sections.map(({ heading, text, terms = [] }) => {
    const longest = Math.max(0, ...terms.map(([term]) => term.length))
    // Next to very long terms there is no room for their meanings, which go below them.
    const isStacked = longest > width / 2 - 4
    const lines = terms.map(([term, meaning]) =>
      isStacked ? `  ${term}\n${wrap(meaning, '      ')}` : helper.formatItem(term, longest, meaning, helper),
    )
    const intro = text === undefined ? [] : [wrap(text, '  ')]
    return [helper.styleTitle(`${heading}:`), ...intro, ...lines].join('\n')
  })
  return `${[summary, ...blocks].join('\n\n')}\n`
}
