import { describe, it } from 'vitest'
import { followTutorial } from '../support/machine/tutorial.ts'

describe('the tutorial', () => {
  it('does and shows, line by line, what the README says', () => followTutorial())
})
