// Writes what package managers need to know of a release, beside its archives: node .ci/packages/manifests.js <folder> <address>
//
// The address is where the archives can be had. SHA256SUMS is for people, pubctl.rb a formula of Homebrew, and pubctl.json a
// manifest of Scoop. Each holds the hashes of the archives that are there.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// It runs where nothing is installed, so it imports nothing that is.
const root = join(import.meta.dirname, '../..')

const [folder = '', address = ''] = process.argv.slice(2)
if (address === '') throw new Error('name the folder of the archives, and the address where they can be had')

const { name, version, description, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** The oldest macOS on which the Node.js of node-of.js runs, by Homebrew's name. The executable for Linux runs wherever Homebrew does. */
const oldestMac = 'big_sur'
/** Microsoft's runtime, to which the native packages are linked, in a bucket of Scoop. */
const runtime = 'extras/vcredist2022'
const homepage = address.replace(/\/releases\/.*/, '')
const made = ['SHA256SUMS', `${name}.rb`, `${name}.json`]
const hashes = new Map(
  readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile() && !made.includes(entry.name))
    .map(entry => entry.name)
    .sort()
    .map(file => /** @type {const} */ ([file, sha256(join(folder, file))])),
)

write('SHA256SUMS', [...hashes].map(([file, hash]) => `${hash}  ${file}\n`).join(''))
write(`${name}.rb`, formula())
const windows = `${name}-${version}-windows-x64.zip`
if (hashes.has(windows)) write(`${name}.json`, `${JSON.stringify(scoop(), undefined, 4)}\n`)

function sha256(/** @type {string} */ path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

function write(/** @type {string} */ file, /** @type {string} */ text) {
  writeFileSync(join(folder, file), text)
  console.log(join(folder, file))
}

function formula() {
  const platform = (
    /** @type {string} */ system,
    /** @type {Readonly<Record<string, string>>} */ processors,
  ) => {
    const known = Object.entries(processors)
      .map(([block, processor]) => ({ block, file: `${name}-${version}-${system}-${processor}.tar.gz` }))
      .filter(({ file }) => hashes.has(file))
    if (known.length === 0) return []
    const blocks = known.flatMap(({ block, file }) => [
      `    ${block} do`,
      `      url "${address}/${file}"`,
      `      sha256 "${hashes.get(file)}"`,
      '    end',
    ])
    const needed = system === 'macos' ? [`    depends_on macos: :${oldestMac}`] : []
    return ['', `  on_${system} do`, ...needed, ...blocks, '  end']
  }
  return `${[
    `class ${name[0].toUpperCase()}${name.slice(1)} < Formula`,
    `  desc "${description.replace(/\.$/, '')}"`,
    `  homepage "${homepage}"`,
    `  version "${version}"`,
    `  license "${license}"`,
    ...platform('macos', { on_arm: 'arm64', on_intel: 'x64' }),
    ...platform('linux', { on_arm: 'arm64', on_intel: 'x64' }),
    '',
    '  def install',
    `    bin.install "${name}"`,
    '    man1.install Dir["man/*.1"]',
    `    bash_completion.install "completions/${name}.bash" => "${name}"`,
    `    zsh_completion.install "completions/_${name}"`,
    `    fish_completion.install "completions/${name}.fish"`,
    '  end',
    '',
    '  test do',
    `    assert_equal version.to_s, shell_output("#{bin}/${name} --version").strip`,
    '  end',
    'end',
  ].join('\n')}\n`
}

function scoop() {
  const path = `${name}-$version-windows-x64`
  return {
    version,
    description,
    homepage,
    license,
    architecture: {
      '64bit': {
        url: `${address}/${windows}`,
        hash: hashes.get(windows),
        extract_dir: `${name}-${version}-windows-x64`,
      },
    },
    depends: runtime,
    bin: `${name}.exe`,
    checkver: 'github',
    autoupdate: {
      architecture: {
        '64bit': { url: `${address.replace(version, '$version')}/${path}.zip`, extract_dir: path },
      },
      hash: { url: '$baseurl/SHA256SUMS' },
    },
  }
}
