// A separate module, so that the prompts are only loaded when a question is asked.
export { confirm, input, password, select } from '@inquirer/prompts'
