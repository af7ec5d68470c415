import { expect, it } from 'vitest'
import { isPassedOn } from '../../src/books/run-checker.ts'

it('a checker gets the variables that it needs to start, whatever their case on Windows, and no keys', () => {
  const passed = (platform: NodeJS.Platform) =>
    ['PATH', 'Path', 'JAVA_HOME', 'SystemRoot', 'ProgramFiles(x86)', 'PUBCTL_API_KEY', 'AWS_SECRET'].filter(
      name => isPassedOn(name, platform),
    )
  expect(passed('linux')).toEqual(['PATH', 'JAVA_HOME'])
  expect(passed('win32')).toEqual(['PATH', 'Path', 'JAVA_HOME', 'SystemRoot', 'ProgramFiles(x86)'])
})
