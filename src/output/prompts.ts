// A module of its own, so that the prompts are loaded only when a person is really asked.
export { confirm, input, password, select } from '@inquirer/prompts'
