import { marks } from '../src/books/marks.ts'
import { packs } from '../src/books/rules/packs/index.ts'
import type { RuleParameter } from '../src/books/rules/parameters.ts'
import { predicates } from '../src/books/rules/predicates/index.ts'
import { conditions, type RuleFile, type WrittenRule } from '../src/books/rules/schema.ts'

/** The page about rules, with the tables of what they can ask. */
export function rulesPage(): Map<string, string> {
  const page = [
    ...introduction,
    '## When a rule is asked',
    '',
    '`when` says which books a rule is for; all of it has to be true.',
    '',
    ...parameterTable(conditions),
    '## What rules can ask',
    '',
    'A `check` has one or several of these. Each has its parameters, or a list of them: `metadata: [{ name: dc:publisher }, { name: dc:rights }]`.',
    'Each range has `min`, `max` or both, which are included.',
    '',
    ...Object.entries(predicates).flatMap(([name, { says, parameters, required }]) => [
      `### ${name}`,
      '',
      `${says}${required.length === 0 ? '' : ` It needs \`${required.join('`, `')}\`.`}`,
      '',
      ...parameterTable(parameters),
    ]),
    '## What is counted in pages, styles and scripts',
    '',
    'Some can only be told from how a text looks; a person has the last word on those that "seem" to be so.',
    '',
    ...Object.entries(marks).flatMap(([kind, names]) => [
      `### Names of ${kind}s`,
      '',
      '| name | there is |',
      '|---|---|',
      ...Object.entries(names).map(([name, says]) => `| \`${name}\` | ${says} |`),
      '',
    ]),
    '## The packs',
    '',
    'The rules are in words of our own; each has the address that its facts and numbers are from. What is given as "a person" is not seen by a',
    'program: of a rule for both, pubctl finds what is certainly or probably against it, and a person looks at the rest.',
    '',
    ...Object.entries(packs).flatMap(([name, pack]) => packTable(name, pack)),
  ]
  return new Map([['docs/rules.md', page.join('\n')]])
}

const parameterTable = (parameters: Readonly<Record<string, RuleParameter<unknown>>>): string[] => [
  '| name | value | what it means |',
  '|---|---|---|',
  ...Object.entries(parameters).map(([name, { form, says }]) => `| \`${name}\` | ${form} | ${says} |`),
  '',
]

const aboutPacks: Readonly<Record<string, string>> = {
  retail: 'What Apple, Google, Kobo and Amazon refuse or advise against, as far as their pages say it.',
  qualebook:
    'The rules of [Qualebook](https://qualebook.edrlab.org/) by EDRLab and the Syndicat national de l’édition, which come from the checklist of Opquast (Elie Sloïm, Laurent Denis, Opquast) and are licensed under CC BY-SA: its numbers and what it asks. Numbers 18, 19, 25, 52 and 88 are not shown on its site yet.',
  accessible:
    'What makes a book accessible by EPUB Accessibility 1.1, WCAG and the knowledge base of DAISY, on which laws such as Directive (EU) 2019/882 rest.',
}

function packTable(name: string, { rules }: RuleFile): string[] {
  const checked = rules.filter(({ check }) => check).length
  return [
    `### The pack ${name}`,
    '',
    aboutPacks[name] ?? '',
    '',
    `${rules.length} rules: ${checked} by the program, ${rules.length - checked} by a person alone.`,
    '',
    '| rule | severity | what it asks | by |',
    '|---|---|---|---|',
    ...rules.map(rule => {
      const { id, severity = '', says = '', link = '' } = rule
      return `| [\`${id}\`](${link}) | ${severity} | ${says} | ${whoChecks(rule)} |`
    }),
    '',
  ]
}

const whoChecks = ({ check, person }: WrittenRule): string =>
  [
    ...(check ? ['pubctl'] : []),
    ...(person ? [`a person: ${person.charAt(0).toLowerCase()}${person.slice(1)}`] : []),
  ].join('; ')

const introduction = `# Rules

Publishers and shops ask more of a book than its format does. Rules say it as data, and \`--rules\` checks books by them, beside
[what is checked anyway](preflight.md):

\`\`\`sh
pubctl inspect spring/ --rules house.yaml
pubctl inspect spring/ --rules retail --rules house.yaml
\`\`\`

Three [packs](#the-packs) come with pubctl: \`retail\`, \`qualebook\` and \`accessible\`. \`--rules\` can be given several times, and what comes
later can change what came before.

A file of rules is YAML or JSON:

\`\`\`yaml
name: Our house
rules:
  - id: house-cover
    severity: error
    check:
      cover: { shortSide: { min: 1400 }, ratio: { min: 1.3, max: 1.7 }, types: [image/jpeg] }
    hint: Export the cover at 1600 × 2400 pixels.
    link: https://press.example/style/covers
  - id: house-imprint
    when: { types: [EPUB], languages: [de] }
    check:
      metadata: { name: dc:publisher, values: [Beispielverlag] }
      name: { isbn: true }
    except:
      - { books: ["978-3-16-148410-0", "old-*.epub"], until: 2027-06-30, reason: Bought from another house. }
  - id: navigation_unordered
    severity: off
\`\`\`

| name | what it means |
|---|---|
| \`id\` | the \`code\` of the problems of the rule: letters, digits, \`-\` and \`_\` |
| \`severity\` | \`error\`, \`warning\` (without it), \`information\`, or \`off\` |
| \`says\` | what the rule asks, in a sentence, for those who read the file |
| \`when\` | which books it is for; all without it |
| \`check\` | what it asks; every part of it |
| \`person\` | what only a person can see, in a sentence; \`inspect\` lists the rules that have this and no check |
| \`hint\`, \`link\` | what to do, and the address of a page about it; both stand in the hint of the problem |
| \`except\` | books that it is not asked of, by patterns of their names and by ISBNs, each with the last day of the exception (\`until\`, by UTC) and perhaps a \`reason\` |
| \`until\` | the last day on which it is not asked of any book, by UTC |

A rule without a check grades what is found anyway: its \`id\` is the code of a problem of pubctl or EPUBCheck, such as \`cover_missing\` or
\`RSC-005\`, or the id of a rule of an earlier \`--rules\`. Its \`severity\` raises, lowers or silences it, and \`hint\`, \`when\`, \`except\` and
\`until\` are those of any rule. So a house can take a pack and change what it sees differently.

Uploads (\`publications upload\`, \`publications create\`, \`editions upload\`, \`editions create\`), \`watch\` and \`catalogue plan\` take
\`--rules\`, too: a book with an error by them is not sent, or is a row of the plan that cannot be used; warnings are shown, and stop it with
\`--strict\`. What a rule could not ask is shown as a warning that stops nothing. A plan is checked when it is made, not when it is applied.

\`\`\`sh
pubctl publications upload spring/ --rules retail --rules house.yaml
pubctl profile setup work --rules retail --rules house.yaml
\`\`\`

The rules of a [profile](profiles-and-keys.md) are asked wherever it is used and no \`--rules\` are given; \`--rules none\` asks none of them.
\`--no-check\` asks none either. A script that gives address and key by variables has no profile, and so no rules that it does not name.

A file that says something else is refused with exit code 2 and the line and column, before any book is read.

The problems of rules are problems like all others: in the list, in every \`--report\`, in the exit code, with \`--strict\` and in uploads.
Nothing is passed over in silence:

- What is excepted is information that says until when, and \`waiver_ended\` says that an exception has ended.
- \`rule_stopped\` names a rule whose expression takes too long for the book; the others are asked all the same.
- \`rule_not_applied\` names the rules that ask what is not known of a book: a PDF has no pages that could be read, and no record was given.
- \`rules_partial\` says that a page or style was not read to its end, so that a rule may have missed something there.
- \`rules_for_person\` names the rules that only a person can check.

Rules ask what was found while the book was examined; it is not read again. \`feed\` compares it with its record: its row in the sheet of
\`--manifest\` or \`catalogue plan\`, or its product in the ONIX message of a plan or of \`--feed\`, which \`inspect\` finds by the ISBN in the name of
the file, else by that of the book. In an upload, what options say of the book counts as its record.

\`\`\`sh
pubctl inspect spring/ --rules house.yaml --feed feed.xml
\`\`\`

## Known problems

A baseline lists the problems that books have already, so that only new ones fail. Write it once, and name it in a file of rules, by its
path from there:

\`\`\`sh
pubctl inspect backlist/ --recursive --rules house.yaml --write-baseline known.json
\`\`\`

\`\`\`yaml
baseline: known.json
rules: []
\`\`\`

Wherever these rules are asked, in uploads and plans as well, an error or warning that the baseline knows becomes information, in JSON with
\`known\`: how grave it is otherwise. \`baseline_known\` counts them for each book, and the last line of \`inspect\` for all of them;
reports list each, SARIF as suppressed. \`baseline_gone\` counts what the baseline has and the book has no more: write it again.

- **A book** is found by its ISBN, whatever its file is called, else by the name of its file, in whatever folder. Its content does not
  matter, since every correction changes it.
- **A problem** is known by its code and the file within the book, without lines, and by how many there are. Where there are more than are
  known, all of them are shown as new, since nobody can tell which one is. Where a book has so many of a kind that not all are listed, those
  in the whole book are counted.
- **Never known** are files that are no books, and what says that something was not read or not checked.
- **Writing it** takes all that is found for known, whatever the baselines of the rules say. What the file knows of books that are not
  inspected stays in it. It has a line for each fault, so that a review shows what changes.

This page is written by \`npm run generate\`, from the same table that checks the files.
`.split('\n')
