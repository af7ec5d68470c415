// Leaves package.json as it is in the repository, after npm has packed.
import { unlistPages } from './manual-list.js'

unlistPages()
