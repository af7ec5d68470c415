#!/usr/bin/env bash
# The first step of the action: installs pubctl in a folder of the job, and puts it on the path of later steps.
# It runs in the bash of every runner, of which the oldest is that of macOS, 3.2.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d "$RUNNER_TEMP/pubctl-XXXXXX")
# Without a package, the version that the action is of.
package=${INPUT_PACKAGE:-$(cd "$here/../.." && node -p '`pubctl@${require("./package.json").version}`')}

npm install --prefix "$folder" --engine-strict --no-save --no-audit --no-fund --ignore-scripts -- "$package" || {
  echo '::error title=pubctl::npm could not install it; the lines above say why (it needs Node.js 20.19 or later)'
  exit 1
}
echo "$folder/node_modules/.bin" >>"$GITHUB_PATH"
echo "program=$folder/node_modules/pubctl/bin/pubctl.js" >>"$GITHUB_OUTPUT"
