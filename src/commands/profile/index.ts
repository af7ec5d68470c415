import { type Command, Option } from '@commander-js/extra-typings'
import { about } from '../../cli/about.ts'
import type { Context, Run } from '../../cli/context.ts'
import { sandboxName } from '../../config/profile.ts'
import { UsageFailure } from '../../system/errors.ts'
import { shellWord } from '../../system/shell-word.ts'
import { epubcheckOption, rulesOption } from '../../uploads/options/check-options.ts'
import { removeProfile } from './save.ts'
import { shown, shownSandbox, view } from './view.ts'

export function register(group: Command, run: Run): void {
  about(
    group
      .command('setup')
      .argument('[name]', 'what to call it; pubctl asks if it is not given')
      .description('Set up a profile: asks for what is missing, and checks the key first'),
    {
      does: 'changes',
      notForAgents: 'whoever starts the server chooses the profile',
      examples: [
        'profile setup',
        'profile setup --base-url https://api.example.com --api-key-file key',
        "profile setup work --key-command 'op read op://work/key'",
      ],
      asks: true,
      changes: false,
    },
  )
    .option('--key-command <command>', 'a command that prints the key, which is then not stored')
    .option('--allow-http', 'send the key over plain http to this address')
    .addOption(
      new Option('--multi-value <style>', 'how several values of a parameter are sent').choices([
        'repeat',
        'comma',
      ]),
    )
    .addOption(rulesOption())
    .addOption(epubcheckOption())
    .option('--no-verify', 'save without checking the key against the service')
    .action(
      run(async (context, name, options) => {
        const { setUp } = await import('./setup.ts')
        await setUp(context, name, options)
      }),
    )

  about(group.command('list').description('List the profiles'), {
    does: 'reads',
    notForAgents: 'whoever starts the server chooses the profile',
    examples: ['profile list'],
    isLocal: true,
  }).action(
    run(async context => {
      await context.check(view)
      const saved = await context.profiles.list()
      const current = await context.profiles.current()
      const rows = saved.map(({ name, profile, isCurrent }) => shown(name, profile, isCurrent))
      await context.list(view, [[...rows, shownSandbox(current === sandboxName)]])
      await warnOfModes(context)
    }),
  )

  about(
    group
      .command('show')
      .argument('[name]', 'a profile (default: the one in use)')
      .description('Show a profile, with its key masked'),
    {
      does: 'reads',
      notForAgents: 'whoever starts the server chooses the profile',
      examples: ['profile show', 'profile show work --json'],
      isLocal: true,
    },
  ).action(
    run(async (context, wanted) => {
      await context.check(view)
      const current = await context.profiles.current()
      const name = wanted ?? context.options.profile ?? context.world.env['PUBCTL_PROFILE'] ?? current
      if (name === undefined) {
        throw new UsageFailure('there is no profile yet', {
          code: 'unknown_profile',
          hint: 'Set one up with: pubctl profile setup',
        })
      }
      const isCurrent = name === current
      const profile = name === sandboxName ? undefined : await context.profiles.get(name)
      await context.item(view, profile ? shown(name, profile, isCurrent) : shownSandbox(isCurrent))
      await warnOfModes(context)
    }),
  )

  about(group.command('use <name>').description('Set the profile that is used without --profile'), {
    does: 'changes',
    notForAgents: 'whoever starts the server chooses the profile',
    examples: ['profile use work', 'profile use sandbox'],
    isLocal: true,
  }).action(
    run(async (context, name) => {
      if (context.options.dryRun) return
      await context.profiles.use(name)
      await context.note(`The profile "${name}" is used from now on.`)
    }),
  )

  about(group.command('remove <name>').description('Remove a profile and its key from this machine'), {
    does: 'deletes',
    notForAgents: 'whoever starts the server chooses the profile',
    examples: ['profile remove work --yes'],
    isLocal: true,
  }).action(
    run(async (context, name) => {
      if (name !== sandboxName) await context.profiles.get(name)
      const { yes, dryRun } = context.options
      if (
        !yes &&
        !dryRun &&
        !(await context.ask.confirm(`Remove the profile "${name}" and its key?`, '--yes'))
      ) {
        throw new UsageFailure('nothing was removed', { code: 'not_confirmed' })
      }
      if (dryRun) return
      await removeProfile(context, name)
      await context.note(`The profile "${name}" is gone.`)
    }),
  )
}

async function warnOfModes({ profiles, warn }: Context): Promise<void> {
  for (const { path, mode, wanted } of profiles.unsafeModes()) {
    await warn({
      code: 'loose_mode',
      message: `others can reach ${path} (mode ${mode.toString(8)}); close it with: chmod ${wanted.toString(8)} ${shellWord(path)}`,
    })
  }
}
