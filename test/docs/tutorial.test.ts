import { describe, expect, it } from 'vitest'
import { systemClock } from '../../src/system/world.ts'
import { drawScreen } from '../support/machine/picture.ts'
import { machine, temporaryFolder } from '../support/machine/pubctl.ts'
import { type ScreenLine, screenAfter, screenOf } from '../support/machine/screen.ts'
import { alike, followTutorial } from '../support/machine/tutorial.ts'
import { sandbox } from '../support/servers/sandbox.ts'

const prompt = (command: string): ScreenLine => [
  { text: '$ ', column: 0, width: 2, isBold: false, isDim: true, colour: undefined },
  { text: command, column: 2, width: command.length, isBold: true, isDim: false, colour: undefined },
]

describe('the tutorial', () => {
  it('does and shows, line by line, what the README says', () => followTutorial())
})

describe('the picture in the README', () => {
  it('is what the main job shows at a terminal', async () => {
    const home = temporaryFolder()
    const shown: ScreenLine[] = []
    const columns = 88
    for (const [index, command] of [
      'pubctl sandbox book first.epub --quiet',
      'pubctl --profile sandbox publications upload first.epub',
      'pubctl --profile sandbox publications list',
    ].entries()) {
      const { lines } = await screenAfter(command, { home, columns })
      if (index > 0) shown.push(prompt(command), ...lines, [])
    }
    const picture = drawScreen(shown.slice(0, -1), columns, 'Uploading a book with pubctl, and listing it')
    // Drawn anew by: npm run picture
    await expect(alike(picture)).toMatchFileSnapshot('../../docs/main-job.svg')
  })
})

describe('the pictures of what is read', () => {
  // The day of the pictures. What the sandbox says of reading depends on the day alone.
  const clock = { ...systemClock, now: () => Date.UTC(2026, 10, 22, 12) }
  const columns = 100

  it.each([
    {
      name: 'months',
      title: 'Bars for the views of each month, of which the last is not over, with the readers beside them',
      command: 'analytics scope',
    },
    {
      name: 'popular',
      title: 'Popular titles with bars for their views, each with a sparkline of its reads by month',
      command: 'analytics popular --trend',
    },
    {
      name: 'calendar',
      title: 'A calendar of the views of a book, the darker the more',
      command: 'analytics activity pub_backlist_alice --from 2026-06-01 --to 2026-11-22',
    },
  ])('are what the sandbox shows at a terminal: picture of $name', async ({ name, title, command }) => {
    const { baseUrl, key } = await sandbox({ clock })
    const env = { PUBCTL_BASE_URL: baseUrl, PUBCTL_API_KEY: key('full'), LANG: 'C.UTF-8' }
    const { out, code } = await machine(env).run(command.split(' '), { columns, clock })
    expect(code).toBe(0)
    const screen = await screenOf(out, columns)
    const picture = drawScreen([prompt(`pubctl --profile sandbox ${command}`), ...screen], columns, title)
    // Drawn anew by: npm run picture
    await expect(picture).toMatchFileSnapshot(`../../docs/analytics-${name}.svg`)
  })
})
